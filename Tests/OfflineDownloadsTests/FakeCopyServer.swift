import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import JSONDocument
import Logging
import MediaCore
import NIOCore
import OfflineCopyFormat
import Synchronization

@testable import OfflineDownloads

/// A server with one rental and one copy, which does what a test wants: cuts connections, damages bytes, ends the
/// rental.
final class FakeCopyServer: Sendable {
    struct State {
        /// The copy before its encryption.
        var plain: [UInt8] = []
        var copyID = "copy1"
        var rentalState = "activated"
        var endsAt = "2030-01-01T00:00:00Z"
        /// Answers of 202 before the manifest.
        var preparingCount = 0
        /// The connections that are still to be cut, each after some bytes.
        var cutCount = 0
        /// Bytes of the copy that are sent wrong once.
        var damagedOffsets: Set<Int> = []
        /// Whether every request is answered with 410.
        var isOver = false
        var sentByteCount = 0
        var ranges: [Range<Int>] = []
        /// Called with the number of bytes sent so far.
        var onBytes: (@Sendable (Int) -> Void)?
        var reportedState: String?
        /// `nil` for a title without a poster.
        var poster: [UInt8]?
        var credential: String?
    }

    struct Cut: Error {}

    let state = Mutex(State())
    let key = SymmetricKey(size: .bits256)
    let device = DeviceIdentity(
        id: "device1", name: "laptop", server: "", secret: "secret", privateKey: Curve25519.KeyAgreement.PrivateKey())
    static let chunkByteCount = 16 << 10
    static let rental = "rental1"

    /// - Parameter byteCount: roughly the size of the copy.
    init(byteCount: Int) {
        let playlist = Array("#EXTM3U\n".utf8)
        let media = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
        let index = CopyIndex(files: [
            .init(path: "playlist.m3u8", byteCount: Int64(playlist.count)),
            .init(path: "video/0.m4s", byteCount: Int64(media.count)),
        ])
        state.withLock { $0.plain = index.rendered() + playlist + media }
    }

    var encrypted: [UInt8] {
        get throws { try CopyCipher(key: key).apply(to: state.withLock(\.plain), at: 0) }
    }

    private var rentalJSON: JSONText {
        let (rentalState, endsAt) = state.withLock { ($0.rentalState, $0.endsAt) }
        return .object([
            ("id", .string(Self.rental)), ("state", .string(rentalState)),
            ("endsAt", rentalState == "rented" ? .null : .string(endsAt)), ("startsBefore", .null),
        ])
    }

    private func manifest() throws -> JSONText {
        let bytes = try encrypted
        guard let plan = ChunkPlan(byteCount: Int64(bytes.count), chunkByteCount: Self.chunkByteCount) else {
            throw Cut()
        }
        let id = state.withLock(\.copyID)
        let digests = (0..<plan.count).map { index -> String in
            let range = plan.range(of: index)
            return SHA256.hash(data: bytes[Int(range.lowerBound)..<Int(range.upperBound)]).hexadecimalDigits
        }
        let manifest = CopyManifest(
            copy: id, rendition: "video", plan: plan, digest: SHA256.hash(data: bytes).hexadecimalDigits,
            chunkDigests: digests, entityTag: "\"\(id)\"", url: "/bytes", metalink: "/metalink")
        return .object(
            [
                ("rental", rentalJSON), ("title", .string("film")), ("name", .string("Film")),
                ("details", .object([("year", .integer(1987))])), ("state", .string("partial")),
            ] + manifest.fields)
    }

    private static func problem(_ status: HTTPResponse.Status, _ type: String) -> Response {
        json(
            .object([("type", .string("/api/v1/docs#\(type)")), ("detail", .string("the server says \(type)"))]), status
        )
    }

    private static func json(_ text: JSONText, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text.rendered)))
    }

    private func bytes(_ request: Request) throws -> Response {
        let whole = try encrypted
        let id = state.withLock(\.copyID)
        guard request.headers[.ifRange] == "\"\(id)\"",
            let match = request.headers[.range]?.wholeMatch(of: /bytes=(\d+)-(\d+)/), let first = Int(match.1),
            let last = Int(match.2), first <= last, last < whole.count
        else { return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: whole))) }
        var part = Array(whole[first...last])
        let isCut = state.withLock { state in
            state.ranges.append(first..<last + 1)
            for offset in state.damagedOffsets where (first...last).contains(offset) {
                part[offset - first] ^= 1
                state.damagedOffsets.remove(offset)
            }
            // A cut takes a connection in the middle of a chunk.
            guard state.cutCount > 0, part.count > 1 else { return false }
            state.cutCount -= 1
            return true
        }
        let sent = isCut ? Array(part.prefix(part.count / 2)) : part
        let body = ResponseBody(contentLength: part.count) { [self] writer in
            try await writer.write(ByteBuffer(bytes: sent))
            let (total, onBytes) = state.withLock { state in
                state.sentByteCount += sent.count
                return (state.sentByteCount, state.onBytes)
            }
            onBytes?(total)
            if isCut { throw Cut() }
            try await writer.finish(nil)
        }
        return Response(
            status: .partialContent,
            headers: [.contentRange: "bytes \(first)-\(last)/\(whole.count)", .eTag: "\"\(id)\""], body: body)
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.get("/api/v1/rentals/:id/download") { [self] request, _ in
            state.withLock { $0.credential = request.headers[.authorization] }
            if state.withLock(\.isOver) { return Self.problem(.gone, "rental-over") }
            guard request.uri.queryParameters["rendition"] != nil else {
                let rendition: [JSONText.Field] = [
                    ("rendition", .string("video")), ("byteCount", .integer(1)), ("bandwidth", .integer(1)),
                ]
                return Self.json(
                    .object([
                        ("rental", rentalJSON), ("name", .string("Film")), ("renditions", .array([.object(rendition)])),
                    ]))
            }
            let isPreparing = state.withLock { state in
                state.preparingCount -= 1
                return state.preparingCount >= 0
            }
            guard !isPreparing else {
                return Self.json(.object([("byteCount", .integer(100)), ("progress", .number(0.5))]), .accepted)
            }
            return Self.json(try manifest())
        }
        router.get("/api/v1/rentals/:id/poster") { [self] _, _ in
            guard let poster = state.withLock(\.poster) else { return Self.problem(.notFound, "not-found") }
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: poster)))
        }
        router.get("/api/v1/rentals/:id/copies/:rendition/key") { [self] _, _ in
            guard state.withLock(\.rentalState) == "activated" else {
                return Self.problem(.forbidden, "rental-not-activated")
            }
            let id = state.withLock(\.copyID)
            let wrap = try CopyKeyWrap(
                key, for: Array(device.privateKey.publicKey.rawRepresentation), copy: id, device: device.id)
            return Self.json(
                .object([
                    ("copy", .string(id)), ("device", .string(device.id)), ("rental", rentalJSON),
                    ("encapsulatedKey", .string(Data(wrap.encapsulatedKey).base64EncodedString())),
                    ("ciphertext", .string(Data(wrap.ciphertext).base64EncodedString())),
                ]))
        }
        router.put("/api/v1/rentals/:id/copies/:rendition/state") { [self] request, _ in
            let body = try JSONParser.parse(try await request.body.collect(upTo: 1_000).readableBytesView)
            state.withLock { $0.reportedState = body["state"]?.string }
            return Response(status: .noContent)
        }
        router.get("/bytes") { [self] request, _ in
            state.withLock(\.isOver) ? Self.problem(.gone, "rental-over") : try bytes(request)
        }
        return router
    }

    /// Serves while `body` runs.
    ///
    /// - Parameter body: receives the address.
    func serving<Result: Sendable>(_ body: @escaping @Sendable (String) async throws -> Result) async throws -> Result {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router(), configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            defer { group.cancelAll() }
            for await port in ports { return try await body("http://127.0.0.1:\(port)") }
            throw Cut()
        }
    }
}
