import JSONDocument

/// The first message of a browser: who it is, and what it sends.
struct IngestHello: Sendable, Hashable {
    struct HelloTrack: Sendable, Hashable {
        /// The number by which frames name the track.
        var number: UInt8
        var codec: IngestCodec
        /// Samples in a second; `nil` for video.
        var sampleRate: Int?
        /// `nil` for video.
        var channelCount: Int?
    }

    /// The link for publishers, or a token; `nil` for somebody who is logged in.
    var token: String?
    /// Name of the quality preset; `nil` for the channel's own.
    var preset: String?
    /// At most one track of each kind.
    var tracks: [HelloTrack]

    /// Bytes of a message in text; a hello takes a few hundred.
    static let maximumByteCount = 8 << 10
    private static let maximumTokenByteCount = 4_096
    private static let sampleRates = 8_000...96_000
    private static let channelCounts = 1...2

    /// - Parameter text: the message, which a stranger has sent.
    init(_ text: String) throws(IngestError) {
        guard text.utf8.count <= Self.maximumByteCount, let node = try? JSONParser.parse(Array(text.utf8)) else {
            throw IngestError("the first message must be a JSON object of at most \(Self.maximumByteCount) bytes")
        }
        guard node["type"]?.string == "hello" else { throw IngestError("the first message must be of the type hello") }
        token = node["token"]?.string
        guard token.map({ $0.utf8.count <= Self.maximumTokenByteCount }) ?? true else {
            throw IngestError("the token is too long")
        }
        preset = node["preset"]?.string
        var tracks: [HelloTrack] = []
        for (index, entry) in (node["tracks"]?.elements ?? []).enumerated() {
            tracks.append(try Self.track(entry, at: index))
        }
        let videoCount = tracks.count { $0.codec.isVideo }
        guard (1...2).contains(tracks.count), videoCount <= 1, tracks.count - videoCount <= 1,
            Set(tracks.map(\.number)).count == tracks.count
        else { throw IngestError("\"tracks\" must hold one track of video, one of audio, or both") }
        self.tracks = tracks
    }

    private static func track(_ node: JSONNode, at index: Int) throws(IngestError) -> HelloTrack {
        guard let number = node["id"]?.integer.flatMap({ UInt8(exactly: $0) }) else {
            throw IngestError("tracks[\(index)].id must be a number from 0 to 255")
        }
        guard let codec = node["codec"]?.string.flatMap({ IngestCodec(name: $0) }) else {
            throw IngestError("tracks[\(index)].codec must begin with one of: \(IngestCodec.names)")
        }
        guard !codec.isVideo else { return HelloTrack(number: number, codec: codec) }
        guard let rate = node["sampleRate"]?.integer, sampleRates.contains(rate),
            let count = node["channels"]?.integer, channelCounts.contains(count)
        else {
            throw IngestError("tracks[\(index)] needs \"sampleRate\" from 8000 to 96000, and \"channels\" 1 or 2")
        }
        return HelloTrack(number: number, codec: codec, sampleRate: rate, channelCount: count)
    }
}
