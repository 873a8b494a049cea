import APIContract
import AsyncHTTPClient
import Foundation
import JSONDocument
import MediaCore
import NIOCore
import NIOHTTP1

/// The server of a copy, as a device sees it.
struct CopyServer: Sendable {
    /// The server, such as `https://tv.example.org`.
    let base: String
    /// The credential of the device, or the token of a member who registers one.
    let credential: String
    let http: HTTPClient

    /// Limit of an answer; the manifest of the largest copy has 5 MB.
    private static let maximumBodyByteCount = 32 << 20
    private static let timeout = TimeAmount.seconds(60)
    /// The time for which a transfer may stand still.
    private static let readTimeout = TimeAmount.seconds(20)

    /// An answer of the API.
    struct Answer: Sendable {
        var status: Int
        var node: JSONNode?
        var retryAfter: Duration?
        /// The server's clock.
        var date: WallClockTime?
    }

    /// The address of a server as a user has typed it.
    ///
    /// - Throws: ``DownloadError`` with `refused`.
    static func checked(_ address: String) throws -> String {
        guard let url = URL(string: address), ["http", "https"].contains(url.scheme), url.host() != nil else {
            throw DownloadError(
                .refused, "\"\(address)\" is not the address of a server; write it like http://127.0.0.1:8080")
        }
        return address.hasSuffix("/") ? String(address.dropLast()) : address
    }

    /// Runs `body` with a client whose connections are closed afterwards.
    ///
    /// - Parameter connectionCount: the connections that may be needed at a time.
    static func with<Result: Sendable>(
        connectionCount: Int, _ body: (HTTPClient) async throws -> Result
    ) async throws -> Result {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionCount + 2
        // The credential is only for the given server.
        configuration.redirectConfiguration = .disallow
        configuration.timeout.read = readTimeout
        configuration.timeout.connect = .seconds(10)
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let result = try await body(http)
            try await http.shutdown()
            return result
        } catch {
            try? await http.shutdown()
            throw error
        }
    }

    // MARK: The API

    static func downloadPath(_ rental: String) -> String {
        "/api/v1/rentals/\(PathEncoding.component(rental))/download"
    }

    static func manifestPath(_ rental: String, _ rendition: String) -> String {
        "\(downloadPath(rental))?rendition=\(PathEncoding.component(rendition))"
    }

    static func posterPath(_ rental: String) -> String { "/api/v1/rentals/\(PathEncoding.component(rental))/poster" }

    /// Sends a request.
    ///
    /// - Returns: an answer of 2xx.
    /// - Throws: ``DownloadError``
    func send(_ method: HTTPMethod, _ path: String, _ body: JSONText? = nil) async throws -> Answer {
        let (answer, _) = try await exchange(method, path, body, maximumByteCount: Self.maximumBodyByteCount)
        guard (200..<300).contains(answer.status) else { throw Self.error(answer, base) }
        return answer
    }

    /// Fetches a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - maximumByteCount: limit of its size.
    /// - Returns: `nil` if there is none.
    /// - Throws: ``DownloadError``
    func file(_ path: String, maximumByteCount: Int) async throws -> [UInt8]? {
        let (answer, bytes) = try await exchange(.GET, path, nil, maximumByteCount: maximumByteCount)
        switch answer.status {
        case 200: return bytes
        case 404: return nil
        default: throw Self.error(answer, base)
        }
    }

    private func exchange(
        _ method: HTTPMethod, _ path: String, _ body: JSONText?, maximumByteCount: Int
    ) async throws -> (answer: Answer, bytes: [UInt8]) {
        var request = HTTPClientRequest(url: base + path)
        request.method = method
        request.headers.add(name: "Authorization", value: "Bearer \(credential)")
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: body.rendered))
        }
        let (response, bytes): (HTTPClientResponse, ByteBuffer)
        do {
            response = try await http.execute(request, timeout: Self.timeout)
            bytes = try await response.body.collect(upTo: maximumByteCount)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw DownloadError(.unreachable, "\(base) does not answer")
        }
        let answer = Answer(
            status: Int(response.status.code), node: try? JSONParser.parse(bytes.readableBytesView),
            retryAfter: Self.retryAfter(response), date: Self.date(response))
        return (answer, Array(bytes.readableBytesView))
    }

    private static func retryAfter(_ response: HTTPClientResponse) -> Duration? {
        response.headers.first(name: "Retry-After").flatMap { Int($0) }.map { .seconds(min(max($0, 0), 60)) }
    }

    private static func date(_ response: HTTPClientResponse) -> WallClockTime? {
        response.headers.first(name: "Date").flatMap(HTTPDate.time(ofHeader:))
    }

    /// The error that an answer stands for. 410 is the end of the rental, unless the server says that the title
    /// changed.
    private static func error(_ answer: Answer, _ base: String) -> DownloadError {
        let type = answer.node?["type"]?.string.flatMap { $0.split(separator: "#").last } ?? ""
        let reason = answer.node?["detail"]?.string ?? "HTTP \(answer.status)"
        switch (answer.status, type) {
        case (410, "copy-replaced"): return DownloadError(.copyReplaced, reason)
        case (410, _): return DownloadError(.rentalEnded, reason)
        case (403, "rental-not-activated"): return DownloadError(.notActivated, reason)
        case (403, "link-not-valid"): return DownloadError(.addressExpired, reason)
        case (429, _), (500..., _): return DownloadError(.unreachable, reason, retryAfter: answer.retryAfter)
        default: return DownloadError(.refused, "\(base): \(reason)")
        }
    }

    // MARK: Bytes

    /// Reads a range of a copy.
    ///
    /// - Parameters:
    ///   - url: the address in the manifest.
    ///   - range: the range, not empty.
    ///   - etag: the entity tag that the bytes must have.
    ///   - take: receives piece after piece, no more than the range has.
    /// - Throws: ``DownloadError``; errors of `take`. What was taken before stays right.
    func read(
        _ url: String, _ range: Range<Int64>, etag: String, _ take: ([UInt8]) async throws -> Void
    ) async throws {
        var request = HTTPClientRequest(url: url.hasPrefix("/") ? base + url : url)
        request.headers.add(name: "Range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
        request.headers.add(name: "If-Range", value: etag)
        let response: HTTPClientResponse
        do {
            response = try await http.execute(request, deadline: .now() + .hours(1))
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw DownloadError(.unreachable, "\(base) does not answer")
        }
        switch response.status {
        case .partialContent: break
        case .ok: throw DownloadError(.copyReplaced, "the title has changed on the server")
        default:
            let bytes = try? await response.body.collect(upTo: 1 << 20)
            throw Self.error(
                Answer(
                    status: Int(response.status.code),
                    node: bytes.flatMap { try? JSONParser.parse($0.readableBytesView) },
                    retryAfter: Self.retryAfter(response)), base)
        }
        let expected = "bytes \(range.lowerBound)-\(range.upperBound - 1)/"
        guard response.headers.first(name: "Content-Range")?.hasPrefix(expected) == true else {
            throw DownloadError(.refused, "\(base) answers with a different range than requested")
        }
        var remaining = range.count
        var pieces = response.body.makeAsyncIterator()
        while remaining > 0 {
            let piece: ByteBuffer?
            do {
                piece = try await pieces.next()
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                throw DownloadError(.unreachable, "the connection to \(base) was lost")
            }
            guard let piece else { throw DownloadError(.unreachable, "the connection to \(base) ended early") }
            let bytes = Array(piece.readableBytesView.prefix(remaining))
            remaining -= bytes.count
            try await take(bytes)
        }
    }
}
