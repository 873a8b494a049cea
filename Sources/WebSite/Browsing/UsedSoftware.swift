/// A program or library that Antena is made with, for the About page.
struct UsedSoftware {
    let name: String
    let address: String
    let licence: String

    private static let apache = "Apache License 2.0"
    private static let mit = "MIT License"

    private static func gitHub(_ repository: String, _ licence: String = apache) -> UsedSoftware {
        UsedSoftware(
            name: repository.split(separator: "/").last.map(String.init) ?? repository,
            address: "https://github.com/\(repository)", licence: licence)
    }

    /// All of it. A test compares the packages with those of the manifest.
    static let all = [
        UsedSoftware(
            name: "FFmpeg (libav)", address: "https://ffmpeg.org/legal.html", licence: "GPL 2 or later, as in Debian"),
        UsedSoftware(name: "SQLite", address: "https://www.sqlite.org/copyright.html", licence: "public domain"),
        UsedSoftware(
            name: "libpq", address: "https://www.postgresql.org/about/licence/", licence: "PostgreSQL Licence"),
        gitHub("apple/swift-argument-parser"), gitHub("apple/swift-collections"), gitHub("apple/swift-crypto"),
        gitHub("apple/swift-http-types"), gitHub("apple/swift-log"), gitHub("apple/swift-nio"),
        gitHub("apple/swift-nio-extras"), gitHub("apple/swift-nio-http2"), gitHub("apple/swift-nio-ssl"),
        gitHub("apple/swift-system"), gitHub("groue/GRDB.swift", mit), gitHub("hummingbird-project/hummingbird"),
        gitHub("hummingbird-project/swift-mustache"), gitHub("swift-server/async-http-client"),
        gitHub("swift-server/swift-service-lifecycle"), gitHub("swiftlang/swift-subprocess"),
        gitHub("vapor/jwt-kit", mit),
    ]

    var values: [String: Any] { ["name": name, "address": address, "licence": licence] }
}
