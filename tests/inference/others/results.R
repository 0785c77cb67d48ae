# The answers of two R packages that test_others.py compares with ours. In this folder, run
#
#   Rscript results.R
#
# csranks 1.2.2 (Mogstad, Romano, Shaikh and Wilhelm), with 20,000 draws: adds confidence sets of
# ranks to pisa.csv, whose columns country, score and se are the mean scores in mathematics of the
# OECD's countries and their standard errors (OECD, PISA 2018 Database).
# multcomp 1.4-22 (Hothorn, Bretz and Westfall): writes treatments.csv, the distances from the best
# of independent groups, from one-sided comparisons with each group in turn (Hsu 1981). "paint" is
# Minitab's example; the other data are multcomp's.

library(csranks)
library(multcomp)
options(digits = 15)
set.seed(1)

ranks <- function(data) {
  sets <- function(...) csranks(data$score, diag(data$se^2), R = 20000, seed = 1, ...)
  two_sided <- sets(simul = FALSE)
  joint <- sets(simul = TRUE)
  data.frame(
    data[c("country", "score", "se")],
    low = sets(simul = FALSE, cstype = "lower")$L,
    high = sets(simul = FALSE, cstype = "upper")$U,
    two_sided_low = two_sided$L,
    two_sided_high = two_sided$U,
    joint_low = joint$L,
    joint_high = joint$U
  )
}

# Higher means are better. A lower bound of a difference from j that is above 0 excludes j.
distances <- function(example, groups, means, sizes, sd, df) {
  names(means) <- groups
  bounds <- sapply(seq_along(means), function(j) {
    contrasts <- contrMat(setNames(sizes, groups), type = "Dunnett", base = j)
    model <- parm(means, diag(sd^2 / sizes), df = df)
    found <- glht(model, linfct = contrasts, alternative = "greater")
    lower <- confint(found, abseps = 1e-5, maxpts = 1e6)$confint[, "lwr"]
    append(unname(lower), 0, after = j - 1)
  })
  kept <- apply(bounds, 2, max) <= 0
  distance <- pmax(0, apply(-bounds[, kept, drop = FALSE], 1, max))
  # Of a group that alone is kept, the distance is 0: its bound with itself.
  data.frame(example, group = groups, mean = means, size = sizes, sd, df, kept, distance)
}

of_model <- function(example, response, group, sign) {
  fit <- lm(response ~ group)
  distances(
    example, levels(group), sign * as.vector(tapply(response, group, mean)),
    as.vector(table(group)), summary(fit)$sigma, fit$df.residual
  )
}

write.csv(ranks(read.csv("pisa.csv")), "pisa.csv", row.names = FALSE, quote = FALSE)

paint <- distances(
  "paint", paste("Blend", 1:4), c(14.733, 8.567, 12.983, 18.067), rep(6, 4), 3.95012, 20
)
higher <- with(cholesterol, of_model("cholesterol", response, trt, 1))
faster <- with(recovery, of_model("recovery", minutes, blanket, -1)) # fewer minutes are better
rows <- rbind(paint, higher, faster)
rows[c("mean", "sd", "distance")] <- round(rows[c("mean", "sd", "distance")], 4)
write.csv(rows, "treatments.csv", row.names = FALSE, quote = FALSE)

fit <- lm(minutes ~ blanket, recovery)
print(summary(glht(fit, linfct = mcp(blanket = "Dunnett"))))
print(summary(glht(fit, linfct = mcp(blanket = "Dunnett")), test = adjusted("free")))
