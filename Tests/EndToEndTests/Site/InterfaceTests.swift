import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct InterfaceTests {
        @Test func listsTheFourChannels() async throws {
            let server = try await AntenaProcess.serving()
            let channels = try await server.items("/api/v1/channels")
            #expect(channels.compactMap { $0["name"] as? String } == ["canalA", "canalB", "canalC", "canalD"])
            for channel in channels {
                #expect(channel["state"] as? String == "idle")
                for field in ["title", "preset", "tracks", "viewers", "playlist", "bytesIn", "bytesOut", "errors"] {
                    #expect(channel[field] != nil, "\(field)")
                }
            }
        }

        @Test func pagesAndSearchesTitles() async throws {
            let source = try await MovieFixture.noBFrames.path()
            let server = try await AntenaProcess.serving { folder in
                for name in ["uno", "dos", "tres"] {
                    try FileManager.default.copyItem(atPath: source, toPath: folder.file("media/vod/\(name).mp4"))
                }
            }
            for name in ["uno", "dos", "tres"] { _ = try await server.ingested("\(name).mp4") }
            let first = try await server.request("/api/v1/titles?limit=2").json
            #expect((first["items"] as? [Any])?.count == 2)
            let cursor = try #require(first["next"] as? String)
            let escaped = cursor.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let second = try await server.request("/api/v1/titles?limit=2&cursor=\(escaped)").json
            #expect((second["items"] as? [Any])?.count == 1)
            #expect(second["next"] is NSNull)
            let found = try await server.items("/api/v1/titles?q=tres")
            #expect(found.compactMap { $0["file"] as? String } == ["tres.mp4"])
        }

        @Test(arguments: [
            ("GET", "/api/v1/titles/none", 404), ("GET", "/api/v1/channels/none", 404), ("GET", "/api/v1/none", 404),
            ("DELETE", "/api/v1/channels", 405), ("GET", "/api/v1/titles?limit=many", 400),
        ])
        func answersErrorsAsProblems(_ method: String, _ path: String, _ status: Int) async throws {
            let server = try await AntenaProcess.serving()
            let reply = try await server.request(path, method: method)
            #expect(reply.status == status)
            #expect(reply.headers["content-type"] == "application/problem+json")
            #expect(try reply.json["status"] as? Int == status)
            #expect(try reply.json["title"] is String)
        }

        @Test func drawsTheShareOfWhatThereIs() async throws {
            let server = try await VideoOnDemandTests.servingOneFilm()
            _ = try await server.ingested("film.mp4")
            let chart = try await server.request("/about/chart.svg")
            #expect(chart.status == 200)
            #expect(chart.headers["content-type"]?.hasPrefix("image/svg+xml") == true)
            #expect(chart.text.contains("<title"))
            #expect(chart.text.contains("80"), "four channels of five things")
            let about = try await server.request("/api/v1/about").json
            #expect((about["titles"] as? [String: Any])?["count"] as? Int == 1)
            #expect((about["titles"] as? [String: Any])?["percentage"] as? Int == 20)
            #expect((about["liveChannels"] as? [String: Any])?["count"] as? Int == 4)
            #expect(about["channelsOnAir"] as? Int == 0)
            #expect(about["name"] as? String == "Antena")
        }

        @Test(arguments: [
            "/healthz", "/readyz", "/metrics", "/", "/radio", "/videoclub", "/directo", "/acerca",
            "/api/v1/openapi.json",
        ])
        func answersEveryPage(_ path: String) async throws {
            let server = try await AntenaProcess.serving()
            // Pages are for visitors, and the metrics for those who show a token.
            let reply =
                path == "/metrics" ? try await server.request(path) : try await server.web.request(path)
            #expect(reply.status == 200)
        }

        @Test func printsTheStatusAsATable() async throws {
            let server = try await AntenaProcess.serving()
            let result = try await server.command(["status", "--server", server.origin])
            #expect(result.status == 0)
            for name in ["canalA", "canalB", "canalC", "canalD"] { #expect(result.text.contains(name)) }
        }
    }
}
