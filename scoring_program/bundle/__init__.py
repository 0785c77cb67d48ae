"""``deadheat bundle``: one zip to upload to Codabench or CodaLab.

`description` reads competition.yaml and checks it by the platforms' rules. `phases` checks its
phases. `program` packs the scoring program and the packages that the platform's image lacks. `kit`
makes the participants' starting kit. `leaks` looks for secrets in what participants can read.
`rehearsal` runs the packed program, and `leaderboard` compares the columns with its scores.
`advice` tells what the organizer should know. `build` puts the bundle together.
"""
