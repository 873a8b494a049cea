import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The authorization of changes on a running server.
    @Suite struct OperatorTests {
        /// The operations marked for operators in the server's OpenAPI description, with existing IDs if possible.
        private static func operatorRequests(
            _ server: AntenaProcess, title: String
        ) async throws -> [(method: String, path: String)] {
            let document = try await server.web.request("/api/v1/openapi.json").json
            let paths = try #require(document["paths"] as? [String: [String: Any]])
            return paths.flatMap { path, operations in
                operations.compactMap { method, operation -> (String, String)? in
                    guard let security = (operation as? [String: Any])?["security"] as? [[String: Any]],
                        !security.contains(where: \.isEmpty)
                    else { return nil }
                    let filled = path.replacing("{name}", with: "canalA")
                        .replacing("{id}", with: path.contains("/titles/") ? title : "1")
                    return (method.uppercased(), filled)
                }
            }
        }

        /// By default nginx sends `Host: 127.0.0.1` from 127.0.0.1 and no other information about the client.
        @Test func behindACarelessProxyNobodyIsAnOperator() async throws {
            let server = try await VideoOnDemandTests.servingOneFilm()
            let title = try await server.ingested("film.mp4")
            let proxy = try await EdgeProcess.careless(inFrontOf: server)
            let requests = try await Self.operatorRequests(server, title: title.id)
            #expect(requests.count >= 20)
            let names = [
                [:], ["Host": "localhost"], ["Host": "127.0.0.1:8080"], ["Host": ProcessInfo.processInfo.hostName],
                ["X-Forwarded-For": "127.0.0.1", "Origin": "http://localhost:8080"],
            ]
            for web in [proxy.web, server.web] {
                for (method, path) in requests {
                    for headers in names {
                        let reply = try await web.request(
                            path, method: method,
                            headers: headers.merging(["Content-Type": "application/json"]) { $1 },
                            body: method == "HEAD" ? "" : "{}")
                        #expect(reply.status == 401, "\(method) \(path) \(headers)")
                        #expect(reply.headers["www-authenticate"] == "Bearer")
                    }
                }
                let put = try await web.request("/api/v1/titles/planted.mp4", method: "PUT", body: "film")
                #expect(put.status == 401)
            }
            #expect(try await server.web.request(title.playlist).status == 200)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: "\(server.folder.path)/media/vod") == ["film.mp4"])
            // The token works through the proxy as well.
            let headers = ["Authorization": "Bearer \(try server.operatorToken)"]
            let deleted = try await proxy.web.request("/api/v1/titles/\(title.id)", method: "DELETE", headers: headers)
            #expect(deleted.status == 204)
        }

        @Test func theTokenOutlivesRestartsAndIsForTheServersUserAlone() async throws {
            let server = try await AntenaProcess.serving()
            let path = "\(server.folder.path)/data/operator-token"
            let token = try server.operatorToken
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(!server.log.contains(token))
            server.signal(SIGTERM)
            _ = try await server.waitForExit(within: 20)
            try await server.start()
            #expect(try server.operatorToken == token)
            server.signal(SIGTERM)
            _ = try await server.waitForExit(within: 20)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            let refused = try await AntenaProcess.command(server.arguments, deadline: 20)
            #expect(refused.status == 1 && refused.errorOutput.contains("chmod 600 \(path)"), "\(refused.errorOutput)")
        }

        @Test func overlongRequestsAreTold() async throws {
            let server = try await AntenaProcess.serving()
            for (path, headers, status) in [
                ("/" + String(repeating: "a", count: 20_000), [:], 414),
                ("/api/v1/titles?q=" + String(repeating: "a", count: 40_000), [:], 414),
                ("/", ["X-A": String(repeating: "a", count: 20_000)], 431), ("/a b", [:], 400),
            ] as [(String, [String: String], Int)] {
                let reply = try await server.web.request(path, headers: headers)
                #expect(reply.status == status)
                #expect(reply.headers["content-type"] == "application/problem+json")
                #expect(try reply.json["status"] as? Int == status)
            }
        }

        /// Chunks without a size are a fault of the sender: 400, once, and nothing in the log.
        @Test(arguments: ["ZZ\r\n", "5\r\nhello\r\nZZ\r\n"])
        func aBodyThatIsNotWellFormedIsTold(_ body: String) async throws {
            let server = try await AntenaProcess.serving()
            let port = server.httpPort
            let answer = try await offCooperativePool {
                let connection = try TCPConnection(port: port)
                try connection.send(
                    "POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n" + body)
                return String(decoding: try connection.readToEnd(), as: UTF8.self)
            }
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(answer)")
            #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2, "\(answer)")
            #expect(answer.contains("application/problem+json"), "\(answer)")
            #expect(!server.log.contains("request failed") && server.isRunning)
        }
    }
}
