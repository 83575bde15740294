# The image of tideline: the program, the certificates it checks others by, and nothing
# else. There is no shell in it and no package manager; what watches the container asks
# the program itself (tideline health).
#
#   docker build -t tideline .

FROM golang:1.26-bookworm AS build
WORKDIR /src

# What is needed changes less often than the program.
COPY go.mod go.sum ./
RUN go mod download

# With .git, so that the program knows its version.
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /out/tideline .

# What the image holds is licensed by many; their notices go with it.
RUN /out/tideline version --licenses >/out/LICENSES.txt

# The one folder that is written to, owned by whoever runs the program. With a database
# and a Redis of their own, nothing is kept there.
RUN mkdir -p /out/data && chown 65532:65532 /out/data


FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/tideline /tideline
COPY --from=build /out/LICENSES.txt /LICENSES.txt
COPY --from=build --chown=65532:65532 /out/data /data

# No name stands for this user, as there is no file of names; 65532 is what images
# without a distribution commonly use.
USER 65532:65532
# SQLite sorts what is large in files, and there is no /tmp.
ENV TIDELINE_ADDR=0.0.0.0:8080 \
    TIDELINE_DATA_DIR=/data \
    TMPDIR=/data \
    TIDELINE_LOG_FORMAT=json
EXPOSE 8080
VOLUME ["/data"]

HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["/tideline", "health"]
ENTRYPOINT ["/tideline"]
CMD ["serve"]
