"""What files mean is decided here, once: from raw tables and settings to a Reading or to questions.

Nothing here opens a file or raises an error for a doubt. A column is a candidate because of its
cells; names only order what the cells allow. `rows_rule.recognize_rows` follows these steps:

1. `headers`: is the first row of each table its header?
2. `keys`: which columns name the rows on both sides, and which row is which example?
3. `answer_columns`, `choosing`: which gold column holds the answers of each metric?
4. `prediction_columns`, `choosing`: which column of each file holds the prediction?
5. `reading_record`: the decisions, each with how and why; or `open_questions`, whose options were
   tried.

Data of other kinds have documented formats and usual names: `by_names`. Tables of scores and of
preferences are in `tables_of_scores`. `plain_files` says what a file means that leaves no choice,
and `contradictions` when a stated column cannot be meant.

`facts` are read off the cells of a column, `usual_names` holds all names and thresholds about
meaning, and `statements` what metrics need and settings say.
"""
