"""``deadheat bundle``: one zip to upload to Codabench or CodaLab.

`description` says what competition.yaml may hold, reads it and checks it by the platforms' rules.
`program` packs the scoring program and the packages that the platform's image lacks. `kit` makes
the participants' starting kit. `leaks` looks for secrets in what participants can read. `rehearsal`
runs the packed program and compares the leaderboard's columns with its scores. `build` puts the
bundle together, tells what the organizer should know, and `codalab` translates it.
"""
