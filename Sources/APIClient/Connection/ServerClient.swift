import APIContract
import AsyncHTTPClient
import Foundation
package import JSONDocument
import MediaCore
import NIOCore
import NIOHTTP1

/// A client of a running server's API, for the command line.
package struct ServerClient: Sendable {
    /// Limit of a response; Antena's responses are smaller.
    private static let maximumBodyByteCount = 16 << 20
    static let timeout = Duration.seconds(10)

    let base: String
    private let url: URL
    /// The server's host as it stands in URLs.
    var hostText: String { url.host(percentEncoded: true) ?? "127.0.0.1" }
    private let access: any ServerAccess
    private let http: HTTPClient

    /// Runs `body` with a client and closes the client's connections afterwards.
    ///
    /// - Parameters:
    ///   - server: the server's URL, such as `http://127.0.0.1:8080`.
    ///   - access: the source of the credential.
    ///   - body: receives the client, which must not be used after it returns.
    /// - Throws: ``ServerClientError``
    package static func with<Result: Sendable>(
        server: String, access: some ServerAccess, _ body: (ServerClient) async throws -> Result
    ) async throws -> Result {
        var configuration = HTTPClient.Configuration()
        // Report an absent server at once instead of retrying for ten seconds.
        configuration.connectionPool.retryConnectionEstablishment = false
        // The token is only for the given server, not for a redirect's target.
        configuration.redirectConfiguration = .disallow
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let result = try await body(ServerClient(server: server, access: access, http: http))
            try await http.shutdown()
            return result
        } catch {
            try? await http.shutdown()
            throw error
        }
    }

    private init(server: String, access: any ServerAccess, http: HTTPClient) throws {
        guard let url = URL(string: server), let scheme = url.scheme, ["http", "https"].contains(scheme),
            url.host() != nil
        else {
            throw ServerClientError(
                "--server \"\(server)\" is not the address of a server; write it like http://127.0.0.1:8080")
        }
        base = server.hasSuffix("/") ? String(server.dropLast()) : server
        self.url = url
        self.access = access
        self.http = http
    }

    /// A name as a component of a path, or the value of a query parameter.
    static func escaped(_ name: String) -> String { PathEncoding.component(name) }

    /// Fetches a resource.
    ///
    /// - Parameter path: the path with its query.
    /// - Throws: ``ServerClientError``
    package func get(_ path: String) async throws -> JSONNode {
        try await execute(HTTPClientRequest(url: base + path))
    }

    /// Fetches the items of all pages of a list.
    ///
    /// - Parameters:
    ///   - path: the path of the list, with its query if it has one.
    ///   - limit: maximum number of items.
    /// - Throws: ``ServerClientError``
    package func list(_ path: String, limit: Int = .max) async throws -> [JSONNode] {
        var items: [JSONNode] = []
        var cursor: String?
        let separator = path.contains("?") ? "&" : "?"
        repeat {
            let query = cursor.map { "&cursor=" + Self.escaped($0) }
            let page = try await get("\(path)\(separator)limit=\(min(limit, ListLimits.maximumSize))\(query ?? "")")
            items += page["items"]?.elements ?? []
            cursor = page["next"]?.string
        } while cursor != nil && items.count < limit
        return Array(items.prefix(limit))
    }

    /// Fetches a resource that can be changed, with its entity tag; see ``get(_:)``.
    func getTagged(_ path: String) async throws -> (node: JSONNode, tag: String?) {
        let (response, body) = try await exchange(HTTPClientRequest(url: base + path))
        return (try result(response, body), response.headers.first(name: "ETag"))
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - body: sent as JSON; `nil` for a request without a body.
    ///   - tag: the entity tag that the resource must still have; `nil` for any.
    ///   - key: the Idempotency-Key; `nil` for a request that is not marked.
    ///   - timeout: limit of the answer.
    /// - Throws: ``ServerClientError``
    func send(
        _ method: HTTPMethod, _ path: String, _ body: JSONText? = nil, ifMatch tag: String? = nil, key: String? = nil,
        timeout: Duration = Self.timeout
    ) async throws -> JSONNode {
        var request = HTTPClientRequest(url: base + path)
        request.method = method
        if let tag { request.headers.add(name: "If-Match", value: tag) }
        if let key { request.headers.add(name: "Idempotency-Key", value: key) }
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: body.rendered))
        }
        return try await execute(request, timeout: timeout)
    }

    /// Sends a body of another type than JSON.
    ///
    /// - Throws: ``ServerClientError``
    func send(
        _ method: HTTPMethod, _ path: String, _ body: [UInt8], type: String, timeout: Duration = Self.timeout
    ) async throws -> JSONNode {
        var request = HTTPClientRequest(url: base + path)
        request.method = method
        request.headers.add(name: "Content-Type", value: type)
        request.body = .bytes(ByteBuffer(bytes: body))
        return try await execute(request, timeout: timeout)
    }

    /// Limit of attempts at a change, each of which somebody else may forestall.
    private static let maximumAttemptCount = 5

    /// Makes a change of the version of a resource that is there, and once more if somebody else was faster.
    ///
    /// - Parameters:
    ///   - path: a resource with an entity tag.
    ///   - body: sends the change with the entity tag.
    /// - Throws: ``ServerClientError``
    func change(_ path: String, _ body: (_ tag: String) async throws -> JSONNode) async throws -> JSONNode {
        for attempt in 1... {
            let (_, tag) = try await getTagged(path)
            do {
                return try await body(tag ?? "*")
            } catch let error as ServerClientError where error.status == 412 && attempt < Self.maximumAttemptCount {
                continue
            }
        }
        throw ServerClientError("\(path) could not be changed.")
    }

    // MARK: Images

    /// Timeout of requests that set an image, during which a worker makes it.
    static let imageTimeout = Duration.seconds(2 * 60)

    /// Sends a JPEG or PNG file.
    ///
    /// - Parameters:
    ///   - resource: the path of the resource that the image belongs to.
    ///   - path: the file.
    ///   - tag: the entity tag that the resource must still have; `nil` for any.
    func putImage(_ resource: String, fileAt path: String, ifMatch tag: String? = nil) async throws -> JSONNode {
        let file = try Self.content(ofFileAt: path)
        var request = HTTPClientRequest(url: base + resource)
        request.method = .PUT
        request.headers.add(name: "Content-Type", value: Self.isPNG(file) ? "image/png" : "image/jpeg")
        if let tag { request.headers.add(name: "If-Match", value: tag) }
        request.body = .bytes(file)
        return try await execute(request, timeout: Self.imageTimeout)
    }

    static func content(ofFileAt path: String) throws(ServerClientError) -> Data {
        guard let file = try? Data(contentsOf: URL(filePath: path)) else {
            throw ServerClientError("\(path) cannot be read.")
        }
        return file
    }

    static func isPNG(_ file: Data) -> Bool { file.starts(with: [0x89, 0x50, 0x4E, 0x47]) }

    // MARK: Media

    /// Timeout of one segment, enough for a slow disk and a slow network.
    private static let mediaTimeout = Duration.seconds(10 * 60)

    /// Fetches a resource outside of the API.
    func resource(_ path: String, maximumByteCount: Int) async throws -> [UInt8] {
        let body = try await media(path)
        return Array(try await body.collect(upTo: maximumByteCount).readableBytesView)
    }

    /// Downloads a resource outside of the API into a file.
    ///
    /// - Returns: the number of bytes.
    func download(_ path: String, to file: String) async throws -> Int {
        let body = try await media(path)
        guard FileManager.default.createFile(atPath: file, contents: nil) else {
            throw ServerClientError("\(file) cannot be written.")
        }
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        defer { try? handle.close() }
        var byteCount = 0
        for try await piece in body {
            try handle.write(contentsOf: Data(piece.readableBytesView))
            byteCount += piece.readableBytes
        }
        return byteCount
    }

    /// Fetches media; the token is not sent, because media is public.
    private func media(_ path: String) async throws -> HTTPClientResponse.Body {
        let response = try await http.execute(
            HTTPClientRequest(url: base + path), timeout: TimeAmount(Self.mediaTimeout))
        guard response.status == .ok else {
            throw ServerClientError("cannot fetch \(path): HTTP \(response.status.code)")
        }
        return response.body
    }

    // MARK: Requests

    /// Fetches a resource of the API that may be long.
    ///
    /// - Parameters:
    ///   - path: the path with its query.
    ///   - hasLimit: whether all of it has to come within the time for media; otherwise it takes as long as it does.
    ///   - body: receives the pieces in their order.
    /// - Throws: ``ServerClientError`` if no server answers, or if it refuses; errors of `body`.
    func pieces(of path: String, hasLimit: Bool = true, _ body: ([UInt8]) throws -> Void) async throws {
        let end = hasLimit ? NIODeadline.now() + TimeAmount(Self.mediaTimeout) : .distantFuture
        guard let pieces = try await opened(path, until: end) else { return }
        for try await piece in pieces { try body(Array(piece.readableBytesView)) }
    }

    /// The body of a resource whose pieces are read one after the other; `nil` for an answer without one.
    private func opened(_ path: String, until deadline: NIODeadline) async throws -> HTTPClientResponse.Body? {
        let response: HTTPClientResponse
        do {
            response = try await http.execute(authorized(HTTPClientRequest(url: base + path)), deadline: deadline)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw unreachable
        }
        guard response.status == .ok else {
            _ = try result(response, try await response.body.collect(upTo: Self.maximumBodyByteCount))
            return nil
        }
        return response.body
    }

    /// Reads a stream of server-sent events until it ends, or the connection is lost.
    ///
    /// - Parameters:
    ///   - path: the path with its query.
    ///   - body: receives the events that have arrived, first none, and the ID of the last one that the stream has
    ///     named.
    /// - Throws: ``ServerClientError`` if no server answers, or if it refuses; errors of `body`.
    func stream(_ path: String, _ body: ([EventStreamParser.Event], String?) throws -> Void) async throws {
        guard let answer = try await opened(path, until: .distantFuture) else { return }
        var parser = EventStreamParser()
        try body([], nil)
        var pieces = answer.makeAsyncIterator()
        // A connection that is lost ends the stream.
        while let piece = try? await pieces.next() {
            guard let events = parser.take(piece.readableBytesView) else {
                throw ServerClientError("\(base) does not answer with a stream of events.")
            }
            try body(events, parser.lastID)
        }
        try Task.checkCancellation()
    }

    /// A request with the credential, if it goes to the server that the credential is for.
    private func authorized(_ request: HTTPClientRequest) -> HTTPClientRequest {
        guard let credential = access.credential(for: url) else { return request }
        var request = request
        request.headers.add(name: "Authorization", value: "Bearer \(credential)")
        return request
    }

    private var unreachable: ServerClientError {
        ServerClientError(
            isUnreachable: true,
            "No Antena server answers at \(base). Start one with \"antena serve\", or name another with --server.")
    }

    private func execute(
        _ request: HTTPClientRequest, timeout: Duration = Self.timeout
    ) async throws -> JSONNode {
        let (response, body) = try await exchange(request, timeout: timeout)
        return try result(response, body)
    }

    func exchange(
        _ request: HTTPClientRequest, timeout: Duration = Self.timeout
    ) async throws -> (HTTPClientResponse, ByteBuffer) {
        do {
            let response = try await http.execute(authorized(request), timeout: TimeAmount(timeout))
            return (response, try await response.body.collect(upTo: Self.maximumBodyByteCount))
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw unreachable
        }
    }

    func result(_ response: HTTPClientResponse, _ body: ByteBuffer) throws(ServerClientError) -> JSONNode {
        if response.status == .noContent { return JSONNode(.null, at: TextPosition(line: 1, column: 1)) }
        if (300..<400).contains(response.status.code), let location = response.headers.first(name: "Location") {
            throw ServerClientError(
                "\(base) redirects to \(UntrustedText.escaped(location)); name that server with --server.")
        }
        guard let node = try? JSONParser.parse(body.readableBytesView) else {
            throw ServerClientError("\(base) does not respond like an Antena server (HTTP \(response.status.code)).")
        }
        if response.status == .unauthorized {
            throw ServerClientError(status: 401, access.explanation(of: node, from: base, at: url))
        }
        guard (200..<300).contains(response.status.code) else {
            let reason = node["detail"]?.string ?? node["title"]?.string ?? "HTTP \(response.status.code)"
            // Each mistake in a configuration file is on a line of its own.
            let lines = reason.split(separator: "\n").map { UntrustedText.escaped(String($0)) }
            throw ServerClientError(
                status: Int(response.status.code),
                problem: node["type"]?.string.flatMap { type in ProblemType.all.first { $0.reference == type } },
                lines.joined(separator: "\n"))
        }
        return node
    }
}
