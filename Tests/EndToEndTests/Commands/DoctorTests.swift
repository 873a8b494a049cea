import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `antena doctor`, on machines and configurations as people have them.
    @Suite struct DoctorTests {
        private struct Entry: Decodable {
            var check: String
            var result: String
            var finding: String
            var remedy: String?
        }

        /// Folders and a channels file in which `antena serve` would start.
        private static func folder(_ channels: String = AntenaProcess.channelsFile()) throws -> TemporaryDirectory {
            let folder = try TemporaryDirectory(label: "doctor")
            for name in ["media/vod", "media/audio"] {
                try FileManager.default.createDirectory(
                    atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
            }
            try folder.write(channels, to: "channels.json")
            return folder
        }

        private static func run(
            _ folder: TemporaryDirectory, http: Int = 0, _ more: String...
        ) async throws -> ExternalTool.Result {
            try await AntenaProcess.command(
                [
                    "doctor", "--http", "127.0.0.1:\(http)", "--rtsp", "127.0.0.1:0", "--wowza-port", "off", "--data",
                    "\(folder.path)/data", "--media", "\(folder.path)/media", "--channels",
                    "\(folder.path)/channels.json",
                ] + more)
        }

        private static func entries(_ result: ExternalTool.Result) throws -> [String: Entry] {
            let entries = try JSONDecoder().decode([Entry].self, from: Data(result.text.utf8))
            return Dictionary(entries.map { ($0.check, $0) }) { first, _ in first }
        }

        @Test func aHealthyMachineHasNoProblems() async throws {
            let folder = try Self.folder()
            let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            let result = try await Self.run(folder)
            #expect(result.status == 0, "\(result.text)\(result.errorOutput)")
            #expect(result.text.contains("ok       channels"))
            let json = try await Self.run(folder, "--json")
            let entries = try Self.entries(json)
            #expect(json.status == 0)
            #expect(
                entries.keys.sorted() == [
                    "certificate", "channels", "clock", "configuration", "confinement", "data folder", "database",
                    "http port", "libav", "media folder", "open files", "pdf", "rtsp port",
                ])
            #expect(entries.values.allSatisfy { $0.result != "problem" && !$0.finding.isEmpty })
            #expect(entries.values.allSatisfy { ($0.remedy == nil) == ($0.result == "ok") })
            #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == before)
        }

        @Test func mistakesInChannelsAreAProblem() async throws {
            let channels = AntenaProcess.channelsFile().replacing("\"name\": \"canalB\"", with: "\"name\": \"canalA\"")
            let result = try await Self.run(try Self.folder(channels), "--json")
            #expect(result.status == 1)
            let entry = try #require(try Self.entries(result)["channels"])
            #expect(entry.result == "problem" && entry.finding.contains("channels.json:8:"), "\(entry)")
            #expect(entry.remedy?.contains("--channels") == true)
        }

        @Test func aSettingThatIsNotValidIsAProblem() async throws {
            let result = try await Self.run(try Self.folder(), "--jobs", "many")
            #expect(result.status == 1 && result.text.hasPrefix("problem  configuration"), "\(result.text)")
            #expect(result.text.contains("--jobs"))
        }

        /// A second data folder at the running server's ports cannot be served; its own can be looked at meanwhile.
        @Test func aRunningServerIsRecognised() async throws {
            let server = try await AntenaProcess.serving()
            let own = try await Self.run(server.folder, http: server.httpPort, "--json")
            #expect(own.status == 0, "\(own.text)")
            let running = try Self.entries(own)
            #expect(running["http port"]?.finding.contains("used by the running server") == true)
            #expect(running["data folder"]?.finding.contains("process \(server.processIdentifier)") == true)
            #expect(running["database"]?.finding.contains("has this program's version") == true)
            let other = try await Self.run(try Self.folder(), http: server.httpPort)
            #expect(other.status == 1)
            #expect(other.text.contains("a running Antena with another data folder"), "\(other.text)")
            #expect(try await server.web.request("/healthz").status == 200)
        }

        /// Nobody administers the server of a new data folder.
        @Test func aPublicServerNeedsAnAdministrator() async throws {
            let server = try await AntenaProcess.serving()
            let before = try await Self.run(server.folder, "--public", "--json")
            #expect(try Self.entries(before)["administrator"]?.result == "problem")
            #expect(before.status == 1)
            try await AccountTests.add("ana", "administrator", server)
            let after = try await Self.run(server.folder, "--public", "--json")
            #expect(try Self.entries(after)["administrator"]?.result == "ok")
            #expect(after.status == 0, "\(after.text)")
        }
    }
}
