import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LiveChannels
import Logging
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import Gateway

/// Authorization of operator requests.
struct OperatorGateTests {
    private let content = InMemoryContent()
    private let table: EndpointTable

    init() { table = GatewayEndpoints(content: content, presets: [], rtspPort: { 8554 }).table }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields = [:], live: Bool = true
    ) async throws -> TestResponse {
        try await Application(router: table.router()).test(live ? .live : .router) { client in
            try await client.execute(uri: path, method: method, headers: headers)
        }
    }

    /// All endpoints that change something need the token; nothing else in a request authorizes an operator.
    @Test func everyChangeNeedsTheToken() async throws {
        let changes = table.endpoints.filter { ![.get, .head, .options].contains($0.method) }
        #expect(changes.count >= 20)
        #expect(changes.allSatisfy { $0.audience == .operators })
        let attempts: [HTTPFields] = [
            [:], [.authorization: "Bearer"], [.authorization: "Basic OnNlY3JldA=="],
            [.origin: "http://127.0.0.1", .contentType: "application/json"],
        ]
        for endpoint in table.endpoints where endpoint.audience == .operators {
            let path = endpoint.path.replacing(/\{[a-z]+\}/, with: "x")
            for headers in attempts {
                let answer = try await send(endpoint.method, path, headers)
                #expect(answer.status == .unauthorized, "\(endpoint.method) \(path)")
                #expect(answer.headers[.wwwAuthenticate] == "Bearer")
                guard endpoint.method != .head else { continue }
                let problem = try JSONParser.parse(answer.body.readableBytesView)
                #expect(problem["detail"]?.string?.contains("operator-token in the server's data folder") == true)
            }
            let allowed = try await send(endpoint.method, path, [.authorization: "bearer  \(TestOperator.token.text)"])
            #expect(allowed.status != .unauthorized, "\(endpoint.method) \(path)")
        }
    }

    /// Only the log is limited, because operators may share an address with an attacker, for example behind a proxy.
    @Test func wrongTokensGetTheSameAnswerAndFillNoLog() async throws {
        let log = LogRecorder()
        let gate = OperatorGate(token: TestOperator.token, logger: Logger(label: "test") { _ in log })
        let table = GatewayEndpoints(content: content, presets: [], operators: gate, rtspPort: { 8554 }).table
        let wrong: HTTPFields = [.authorization: "Bearer \(OperatorToken().text)"]
        try await Application(router: table.router()).test(.live) { client in
            for _ in 0..<50 {
                let answer = try await client.execute(uri: "/api/v1/jobs/1", method: .delete, headers: wrong)
                #expect(answer.status == .unauthorized)
                #expect(answer.headers[.wwwAuthenticate] == "Bearer error=\"invalid_token\"")
            }
            let right = try await client.execute(
                uri: "/api/v1/jobs/1", method: .delete, headers: [.authorization: TestOperator.authorization])
            #expect(right.status == .notFound)
        }
        let lines = log.text.split(separator: "\n").filter {
            $0.contains("operator request with a wrong token refused")
        }
        #expect((1...10).contains(lines.count), "\(lines.count)")
    }

    /// Only operators see a publisher's address and user agent.
    @Test func publishersAddressesAreForOperators() async throws {
        let publisher =
            #"{"address": "192.0.2.9:4", "userAgent": "cam/1", "transport": "tcp", "preset": "medium", "since": 0}"#
        var channel = try InMemoryContent.channel("canalA", state: "live")
        let status = try JSONDecoder().decode(ChannelStatus.PublisherStatus.self, from: Data(publisher.utf8))
        channel.publisher = status
        channel.waitingPublishers = [status]
        content.state.withLock { $0.channels = [channel] }
        for path in ["/api/v1/channels", "/api/v1/channels/canalA"] {
            let everyones = try await send(.get, path)
            let guessed = try await send(.get, path, [.authorization: "Bearer \(OperatorToken().text)"])
            for answer in [everyones, guessed] {
                let text = String(buffer: answer.body)
                #expect(answer.status == .ok && text.contains(#""publisher""#) && text.contains(#""tcp""#))
                #expect(!text.contains("192.0.2.9") && !text.contains("cam/1"))
            }
            let text = String(buffer: try await send(.get, path, [.authorization: TestOperator.authorization]).body)
            #expect(text.ranges(of: "192.0.2.9").count == 2 && text.ranges(of: "cam/1").count == 2)
        }
    }
}

struct OperatorTokenTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory(label: "token") }

    private var path: String { "\(folder.path)/\(OperatorToken.fileName)" }

    @Test func isMadeOnceForTheServersUserAlone() throws {
        // The leftover of an interrupted start.
        try folder.write("rest", to: "\(OperatorToken.fileName).unfinished")
        let (token, isNew) = try OperatorToken.load(orMakeIn: folder.path)
        #expect(isNew && token.text.count == 64)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [OperatorToken.fileName])
        let again = try OperatorToken.load(orMakeIn: folder.path)
        #expect(again.token == token && !again.isNew)
        #expect(try OperatorToken.read(path: path) == token)
        #expect(OperatorToken() != token)
        #expect(!"\(token)".contains(token.text))
    }

    @Test(arguments: ["", "abc", String(repeating: "g", count: 64), String(repeating: "a", count: 65)])
    func aDamagedFileEndsTheStart(text: String) throws {
        try folder.write(text, to: OperatorToken.fileName)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let error = #expect(throws: ServerStartError.self) { try OperatorToken.load(orMakeIn: folder.path) }
        #expect(error?.description.contains("delete it") == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text, "it is left for a person to look at")
    }

    @Test(arguments: [0o644, 0o640, 0o602]) func aFileOthersMayUseEndsTheStart(mode: Int) throws {
        _ = try OperatorToken.load(orMakeIn: folder.path)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let error = #expect(throws: ServerStartError.self) { try OperatorToken.load(orMakeIn: folder.path) }
        #expect(error?.description.contains("chmod 600 \(path)") == true)
    }

    @Test func linksAndFoldersAreNotTokens() throws {
        try folder.write(OperatorToken().text, to: "elsewhere")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(folder.path)/elsewhere")
        #expect(throws: ServerStartError.self) { try OperatorToken.load(orMakeIn: folder.path) }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: ServerStartError.self) { try OperatorToken.load(orMakeIn: folder.path) }
    }

    // MARK: Commands

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    /// Only an explicitly given token is sent to another machine.
    @Test func theDefaultTokenStaysOnThisMachine() throws {
        let (token, _) = try OperatorToken.load(orMakeIn: folder.path)
        let found = try OperatorAccess(environment: ["ANTENA_DATA": folder.path])
        for server in ["http://127.0.0.1:8080", "http://localhost:1", "https://[::1]:8443", "http://127.0.0.9"] {
            #expect(found.token(for: try url(server)) == token)
        }
        for server in ["http://127.0.0.1.example.org", "http://192.0.2.1", "http://media.example", "http://[::2]"] {
            #expect(found.token(for: try url(server)) == nil)
        }
        let far = try url("http://media.example")
        #expect(found.advice(for: far).contains("on another machine"))
        #expect(try OperatorAccess(dataDirectory: folder.path, environment: [:]).token(for: far) == token)
        #expect(try OperatorAccess(tokenFile: path, environment: [:]).token(for: far) == token)
        let other = OperatorToken()
        let named = try OperatorAccess(environment: ["ANTENA_TOKEN": other.text, "ANTENA_DATA": folder.path])
        #expect(named.token(for: far) == other)
    }

    @Test func whatIsMissingIsSaid() throws {
        let none = try OperatorAccess(dataDirectory: "/nonexistent", environment: [:])
        let server = try url("http://127.0.0.1:8080")
        #expect(none.token(for: server) == nil)
        #expect(none.advice(for: server).hasPrefix("There is no file /nonexistent/operator-token. Name"))
        #expect(throws: ServerClientError.self) { try OperatorAccess(tokenFile: "/nonexistent", environment: [:]) }
        #expect(throws: ServerClientError.self) { try OperatorAccess(environment: ["ANTENA_TOKEN": "short"]) }
    }
}
