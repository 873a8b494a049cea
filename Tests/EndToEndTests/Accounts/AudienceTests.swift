import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The audience of a single title, set by the command line, on a whole server.
    @Suite struct AudienceTests {
        @Test func aTitleForInvitedPeopleIsUnknownToOthers() async throws {
            let server = try AntenaProcess()
            try FileManager.default.copyItem(
                atPath: try await MovieFixture.noBFrames.path(), toPath: server.folder.file("media/vod/film.mp4"))
            try await server.start()
            let title = try await server.ingested("film.mp4")
            func set(_ audience: String) async throws {
                let result = try await server.command([
                    "audience", title.id, audience, "--server", server.origin,
                ])
                #expect(result.status == 0 && result.text.hasPrefix("\(title.id): "), "\(result.errorOutput)")
            }
            let paths = [
                "/vod/\(title.id)/playlist.m3u8", "/vod/mp4:film.mp4/playlist.m3u8",
                "/vod/_definst_/mp4:film.mp4/playlist.m3u8", "/vod/\(title.id)/playlist.m3u8?format=ts",
                "/api/v1/titles/\(title.id)",
            ]
            let web = server.web
            for path in paths { #expect(try await web.request(path).status == 200, "\(path)") }
            try await set("members")
            for path in paths { #expect(try await web.request(path).status == 401, "\(path)") }
            try await set("invited")
            for path in paths {
                let answer = try await web.request(path)
                let nothing = try await web.request(
                    path.replacing(title.id, with: "nobody").replacing("film.mp4", with: "nobody.mp4"))
                #expect(answer.status == 404 && nothing.status == 404, "\(path)")
                #expect(
                    answer.text.withSameRequestIdentifier.replacing(title.id, with: "nobody")
                        .replacing("film.mp4", with: "nobody.mp4") == nothing.text.withSameRequestIdentifier, "\(path)")
            }
            #expect(try await !web.request("/videoclub").text.contains("/vod/\(title.id)/"))
            #expect(try await !web.request("/api/v1/titles").text.contains(title.id))
            // A link opens it all the same.
            let link = try await server.command(["link", "create", paths[0], "--server", server.origin]).text
                .trimmingCharacters(in: .newlines)
            #expect(try await web.request(String(link.dropFirst(server.origin.count))).status == 200)
            try await set("section")
            for path in paths { #expect(try await web.request(path).status == 200, "\(path)") }
        }
    }
}
