import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The lists of the video club on a whole server: by API, on the command line and on the site.
    @Suite struct ClubListTests {
        private let server: AntenaProcess

        init() async throws {
            server = try AntenaProcess()
            let film = try await MovieFixture.noBFrames.path()
            for (index, name) in ["alba", "brisa", "ciclón"].enumerated() {
                // Titles of the same content are duplicates, so each has a byte more than the one before.
                var bytes = try Data(contentsOf: URL(fileURLWithPath: film))
                // An empty box at the end (ISO/IEC 14496-12, 4.2).
                for _ in 0...index { bytes.append(contentsOf: [0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]) }
                try bytes.write(to: URL(fileURLWithPath: server.folder.file("media/vod/\(name).mp4")))
            }
            try await server.start()
            for name in ["alba", "brisa", "ciclón"] { _ = try await server.ingested("\(name).mp4") }
        }

        @discardableResult private func run(_ arguments: String...) async throws -> String {
            let result = try await server.command(arguments + ["--server", server.origin])
            #expect(result.status == 0, "\(arguments): \(result.errorOutput)\(result.text)")
            return result.text
        }

        private func titles(_ query: String) async throws -> [String] {
            let reply = try await server.request("/api/v1/titles?\(query)")
            #expect(reply.status == 200, "\(reply.text)")
            let items = try reply.json["items"] as? [[String: Any]] ?? []
            return items.compactMap { $0["file"] as? String }
        }

        @Test func whatOperatorsWriteIsInListsAndTables() async throws {
            try await run("title", "set", "alba.mp4", "--genre", "Comedia", "--actor", "Inés Sol", "--age-rating", "12")
            try await run("terms", "alba.mp4", "--price", "5", "--regular-price", "8", "--featured")
            #expect(try await titles("section=offers") == ["alba.mp4"])
            #expect(try await titles("section=featured&sort=price") == ["alba.mp4"])
            #expect(try await titles("genre=COMEDIA") == ["alba.mp4"])
            #expect(try await titles("q=ines&sort=relevance") == ["alba.mp4"])
            #expect(try await titles("q=icl&sort=relevance") == ["ciclón.mp4"])
            #expect(try await titles("section=free&sort=title") == ["brisa.mp4", "ciclón.mp4"])
            #expect(try await titles("sort=price").last == "alba.mp4")
            #expect(try await server.request("/api/v1/titles?section=new&sort=duration").status == 422)
            #expect(try await server.request("/api/v1/titles?section=new&state=failed").status == 422)
            #expect(try await run("title", "genres") == "Comedia\n")
            #expect(try await run("title", "list", "--section", "free").contains("alba") == false)

            // A table, changed as a spreadsheet would, and given back.
            let table = try await run("title", "export")
            #expect(
                table.contains("alba.mp4") && table.contains("Inés Sol") && table.hasPrefix("\"id\",\"file\",\"title\"")
            )
            let file = try server.folder.file("titles.csv")
            try table.write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try await run("title", "import", file).contains("3 titles read, 0 changed, 0 rejected"))
            try "file;price;genres;year\nbrisa.mp4;3;Drama, de mar;1999\nnothing.mp4;1;;\n".write(
                toFile: file, atomically: true, encoding: .utf8)
            let failed = try await server.command(["title", "import", file, "--trial", "--server", server.origin])
            #expect(failed.status == 1 && failed.text.contains("2 titles read, 1 would change, 1 rejected"))
            #expect(failed.text.contains("line 3: there is no title with the file \"nothing.mp4\""))
            // A trial changes nothing.
            #expect(try await titles("genre=drama,%20de%20mar") == [])
            _ = try await server.command(["title", "import", file, "--server", server.origin])
            #expect(try await titles("genre=de%20mar") == ["brisa.mp4"])
            #expect(try await titles("sort=price") == ["ciclón.mp4", "brisa.mp4", "alba.mp4"])
            let json = try server.folder.file("titles.json")
            try await run("title", "export", "--json").write(toFile: json, atomically: true, encoding: .utf8)
            #expect(try await run("title", "import", json).contains("3 titles read, 0 changed"))
            // The whole table by API; strangers do not get it.
            let whole = try await server.request("/api/v1/catalogue?format=csv")
            #expect(whole.text.components(separatedBy: "\r\n").count == 5, "\(whole.text)")
            #expect(try await server.web.request("/api/v1/catalogue").status == 401)
            let unknown = try await server.request(
                "/api/v1/catalogue?trial=true", method: "POST", headers: ["Content-Type": "text/csv"],
                body: "nothing\n1\n")
            #expect(unknown.status == 422 && unknown.text.contains("there is no column"), "\(unknown.text)")
            // A misspelt trial must not import.
            let misspelt = try await server.request(
                "/api/v1/catalogue?trial=yes", method: "POST", headers: ["Content-Type": "text/csv"],
                body: "id,title\nalba,Changed\n")
            #expect(misspelt.status == 400, "\(misspelt.text)")
            #expect(try await server.request("/api/v1/catalogue?format=csv&cursor=x").status == 422)

            // The site has sections, genres, prices; and says when there is nothing.
            let site = try await server.web.request("/videoclub?section=offers", headers: ["Accept": "text/html"]).text
            #expect(
                site.contains("<strong>5 credits</strong> <s>8 credits</s>")
                    && site.contains("<option value=\"Comedia\""))
            #expect(site.contains("aria-current=\"true\">Offers</a>") && !site.contains("brisa"))
            let empty = try await server.web.request("/videoclub?genre=none", headers: ["Accept": "text/html"]).text
            #expect(empty.contains("There is nothing here yet."))
        }
    }
}
