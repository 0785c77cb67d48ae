"""``deadheat bundle``: one zip that uploads to Codabench, or to CodaLab, as it is.

`description` reads competition.yaml and states what the platforms ask of it, `phases` what they
make of its phases, `program` packs the scoring program with what the platform's image lacks, `kit`
makes the participants' starting kit, `leaks` looks for secrets in what participants can read,
`rehearsal` runs what was packed, `leaderboard` compares the columns with what came of it, `advice`
tells what the organizer should know, and `build` puts the bundle together.
"""
