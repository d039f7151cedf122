# A static binary, and nothing else.
#
#   docker build -t synchroscope .
#   docker run --rm -p 127.0.0.1:8080:8080 -v synchroscope:/data --read-only synchroscope
#
# The server asks nobody for a password: publish the port to people you trust.

FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /out/synchroscope ./cmd/synchroscope \
 && mkdir /out/data

FROM scratch
COPY --from=build /out/synchroscope /synchroscope
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
# Commands such as "check" unpack archives into the temporary directory.
ENV TMPDIR=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/synchroscope", "health"]
ENTRYPOINT ["/synchroscope"]
CMD ["serve", "--listen", "0.0.0.0:8080", "--public", "--data", "/data"]
