"""What tables of scores and of preferences mean, by a rule of the same form as that for rows.

`scores_rule` decides, in this order: who won (`preference_columns`); units, systems, samples and
tasks (`score_columns`); lines that sum up others (`summary_lines`); in which direction each score
is better (`score_directions`). `score_names` holds the names and the words.
"""
