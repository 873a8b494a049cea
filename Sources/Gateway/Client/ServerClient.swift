import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A running server's API, for the command line.
package struct ServerClient: Sendable {
    /// An answer that a command line reads; anything larger is not Antena's.
    private static let maximumBodyByteCount = 16 << 20
    private static let timeout = TimeAmount.seconds(10)

    private let base: String
    private let http: HTTPClient

    /// Runs `body` with a client whose connections end with it.
    ///
    /// - Parameter server: `http://127.0.0.1:8080`
    /// - Throws: ``ServerClientError``
    package static func with<Result: Sendable>(
        server: String, _ body: (ServerClient) async throws -> Result
    ) async throws -> Result {
        var configuration = HTTPClient.Configuration()
        // A server that is not there is said to be so at once, not after ten seconds of new attempts.
        configuration.connectionPool.retryConnectionEstablishment = false
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let result = try await body(ServerClient(server: server, http: http))
            try await http.shutdown()
            return result
        } catch {
            try? await http.shutdown()
            throw error
        }
    }

    private init(server: String, http: HTTPClient) throws {
        guard let url = URL(string: server), let scheme = url.scheme, ["http", "https"].contains(scheme),
            url.host() != nil
        else {
            throw ServerClientError(
                "--server \"\(server)\" is no address of a server; write it like http://127.0.0.1:8080")
        }
        base = server.hasSuffix("/") ? String(server.dropLast()) : server
        self.http = http
    }

    /// - Parameter path: with its query.
    package func get(_ path: String) async throws -> JSONNode {
        try await execute(HTTPClientRequest(url: base + path))
    }

    /// All pages of a list.
    package func list(_ path: String) async throws -> [JSONNode] {
        var items: [JSONNode] = []
        var cursor: String?
        repeat {
            let query = cursor.map {
                "&cursor=" + ($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
            }
            let page = try await get("\(path)?limit=200\(query ?? "")")
            items += page["items"]?.elements ?? []
            cursor = page["next"]?.string
        } while cursor != nil
        return items
    }

    /// A file from another disk is copied before the server answers.
    private static let ingestTimeout = TimeAmount.hours(24)

    /// Deletes a title with its file.
    package func deleteTitle(id: String) async throws {
        let component = id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        var request = HTTPClientRequest(url: base + "/api/v1/titles/\(component)")
        request.method = .DELETE
        _ = try await execute(request)
    }

    /// Chooses a title's poster; answers with the title.
    ///
    /// - Parameter seconds: `nil` for the picture that the server chooses.
    package func setPoster(ofTitle id: String, at seconds: Double?) async throws -> JSONNode {
        var request = posterRequest(id)
        guard let seconds else {
            request.method = .DELETE
            return try await execute(request, timeout: Self.posterTimeout)
        }
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: JSONText.object([("at", .number(seconds))]).rendered))
        return try await execute(request, timeout: Self.posterTimeout)
    }

    /// The same with a JPEG or PNG file.
    package func setPoster(ofTitle id: String, toFileAt path: String) async throws -> JSONNode {
        guard let file = try? Data(contentsOf: URL(filePath: path)) else {
            throw ServerClientError("\(path) cannot be read.")
        }
        let isPNG = file.starts(with: [0x89, 0x50, 0x4E, 0x47])
        var request = posterRequest(id)
        request.headers.add(name: "Content-Type", value: isPNG ? "image/png" : "image/jpeg")
        request.body = .bytes(file)
        return try await execute(request, timeout: Self.posterTimeout)
    }

    /// A worker makes it meanwhile.
    private static let posterTimeout = TimeAmount.minutes(2)

    private func posterRequest(_ id: String) -> HTTPClientRequest {
        let component = id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        var request = HTTPClientRequest(url: base + "/api/v1/titles/\(component)/poster")
        request.method = .PUT
        return request
    }

    /// Has a title encrypted, or not.
    ///
    /// - Parameter isEncrypted: `nil` for what the server's configuration says.
    /// - Returns: whether it is encrypted now.
    package func setEncrypted(_ isEncrypted: Bool?, ofTitle id: String) async throws -> Bool {
        let component = id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        var request = HTTPClientRequest(url: base + "/api/v1/titles/\(component)")
        request.method = .PATCH
        request.headers.add(name: "Content-Type", value: "application/json")
        let choice = isEncrypted.map(JSONText.boolean) ?? .null
        request.body = .bytes(ByteBuffer(string: JSONText.object([("encrypt", choice)]).rendered))
        return try await execute(request)["encrypt"]?.boolean == true
    }

    /// Asks the server to ingest a file of its machine; answers with the title.
    package func ingest(path: String) async throws -> JSONNode {
        var request = HTTPClientRequest(url: base + "/api/v1/titles")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: JSONText.object([("path", .string(path))]).rendered))
        return try await execute(request, timeout: Self.ingestTimeout)
    }

    /// Begins or ends the recording of a channel; answers with its recording's status.
    package func setRecording(_ isWanted: Bool, ofChannel name: String) async throws -> JSONNode {
        let component = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        var request = HTTPClientRequest(url: base + "/api/v1/channels/\(component)/recording")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        let action = JSONText.string(isWanted ? "start" : "stop")
        request.body = .bytes(ByteBuffer(string: JSONText.object([("action", action)]).rendered))
        return try await execute(request)
    }

    /// - Parameter body: sent as JSON.
    func send(_ method: HTTPMethod, _ path: String, _ body: JSONText?) async throws -> JSONNode {
        var request = HTTPClientRequest(url: base + path)
        request.method = method
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: body.rendered))
        }
        return try await execute(request)
    }

    // MARK: Media

    /// Of one segment, from a slow disk over a slow line.
    private static let mediaTimeout = TimeAmount.minutes(10)

    /// A resource that is no part of the API.
    func resource(_ path: String, maximumByteCount: Int) async throws -> [UInt8] {
        let body = try await media(path)
        return Array(try await body.collect(upTo: maximumByteCount).readableBytesView)
    }

    /// - Returns: how many bytes the file has.
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

    private func media(_ path: String) async throws -> HTTPClientResponse.Body {
        let response = try await http.execute(HTTPClientRequest(url: base + path), timeout: Self.mediaTimeout)
        guard response.status == .ok else {
            throw ServerClientError("\(path) is not to be had (status \(response.status.code)).")
        }
        return response.body
    }

    private func execute(
        _ request: HTTPClientRequest, timeout: TimeAmount = Self.timeout
    ) async throws -> JSONNode {
        let response: HTTPClientResponse
        let body: ByteBuffer
        do {
            response = try await http.execute(request, timeout: timeout)
            body = try await response.body.collect(upTo: Self.maximumBodyByteCount)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw ServerClientError(
                isUnreachable: true,
                "No Antena server answers at \(base). Start one with \"antena serve\", or name another with --server.")
        }
        if response.status == .noContent { return JSONNode(.null, at: TextPosition(line: 1, column: 1)) }
        guard let node = try? JSONParser.parse(body.readableBytesView) else {
            throw ServerClientError("What answers at \(base) is no Antena server (status \(response.status.code)).")
        }
        guard (200..<300).contains(response.status.code) else {
            let reason = node["detail"]?.string ?? node["title"]?.string ?? "status \(response.status.code)"
            throw ServerClientError(reason)
        }
        return node
    }
}

/// Why a command could not talk to its server; one sentence for a person.
package struct ServerClientError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Nothing is there that answers.
    package var isUnreachable: Bool
    package var description: String

    init(isUnreachable: Bool = false, _ description: String) {
        self.isUnreachable = isUnreachable
        self.description = description
    }
}
