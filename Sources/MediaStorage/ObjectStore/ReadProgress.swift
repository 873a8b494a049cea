import MediaCore
import NIOCore
import NIOHTTP1

/// The state of a ranged read that may need several requests: checks each answer, and knows the next byte.
struct ReadProgress: Sendable {
    /// Whether the store did not keep the pace in the last try.
    var isTooSlow = false
    private(set) var position: Int64
    private let end: Int64
    private let start: Int64
    /// The version that all answers must have; learned from the first one if the caller does not name it.
    private var version: String?

    init(range: Range<Int64>, version: String?) {
        (start, position, end) = (range.lowerBound, range.lowerBound, range.upperBound)
        self.version = version
    }

    var isComplete: Bool { position >= end }

    /// The headers of the next request.
    var headers: [(name: String, value: String)] {
        var headers = [(name: "range", value: "bytes=\(position)-\(end - 1)")]
        if let condition = version.flatMap(ETag.condition) { headers.append(("if-match", condition)) }
        return headers
    }

    /// Checks the head of an answer.
    ///
    /// - Throws: ``MediaStorageError`` or ``AttemptFailure``.
    mutating func begin(status: Int, _ headers: HTTPHeaders) throws {
        let answered = ObjectStore.version(in: headers)
        if let version, let answered, answered != version {
            throw MediaStorageError(.changed, "the object has been replaced")
        }
        version = version ?? answered
        if let range = headers.first(name: "Content-Range") {
            // `rclone serve s3` answers with the range and status 200.
            guard status == 206 || status == 200, Self.firstByte(ofContentRange: range) == position else {
                throw AttemptFailure(
                    MediaStorageError(.malformedAnswer, "the store answers with another range"), isRetryable: true)
            }
        } else if status != 200 || position != 0 || headers.first(name: "Content-Length") != "\(end)" {
            // A store may ignore the range if it is the whole object.
            throw MediaStorageError(
                .malformedAnswer, "the store answers to a ranged read without Content-Range; it must support ranges")
        }
    }

    /// Counts a piece.
    ///
    /// - Returns: The piece.
    mutating func accept(_ piece: ByteBuffer) throws -> ByteBuffer {
        guard Int64(piece.readableBytes) <= end - position else {
            throw MediaStorageError(.malformedAnswer, "the store sends more bytes than were requested")
        }
        position += Int64(piece.readableBytes)
        return piece
    }

    /// - Throws: ``AttemptFailure`` if bytes are missing at the end of an answer.
    func checkEnd() throws {
        guard !isComplete else { return }
        throw AttemptFailure(
            MediaStorageError(.unavailable, "the store sent \(end - position) bytes too few"), isRetryable: true)
    }

    /// The first number of `bytes 42-1233/1234` (RFC 9110 §14.4).
    private static func firstByte(ofContentRange text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        return words[1].split(separator: "-").first.flatMap { Int64(digits: $0) }
    }
}
