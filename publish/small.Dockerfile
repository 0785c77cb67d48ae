# Deadheat alone, for one's own machine or a workflow:
#   docker build -f publish/small.Dockerfile -t deadheat .
#   docker run --rm --user "$(id -u)" -v "$PWD:/work" deadheat score example/input output
FROM python:3.12-slim
ARG EXTRAS=text,ir
COPY . /src
RUN pip install --no-cache-dir "/src[$EXTRAS]" && rm -rf /src && useradd --create-home scorer
USER scorer
WORKDIR /work
ENTRYPOINT ["deadheat"]
CMD ["--help"]
