import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct ReloadTests {
        private func channels(_ server: AntenaProcess) async throws -> [String] {
            try await server.items("/api/v1/channels").compactMap { $0["name"] as? String }
        }

        @Test func theFileIsReadAgainAndAWrongOneChangesNothing() async throws {
            let server = try await AntenaProcess.serving()
            let names = ["canalA", "canalB", "canalC", "canalD"]
            let right = AntenaProcess.channelsFile()
            let wrong = right.replacing(
                "\"defaultPreset\": \"medium\"", with: "\"defaultPreset\": \"best\"", maxReplacements: 1)
            try server.folder.write(wrong, to: "channels.json")
            _ = try await eventually("the change is noticed") {
                server.log.contains("channels.json changed; reloading it") ? true : nil
            }
            _ = try await eventually("the mistake is logged") {
                server.log.contains("channels.json has a mistake") ? true : nil
            }
            #expect(server.log.contains("channels[0].defaultPreset") && server.log.contains("line=6"))
            let refused = try await reload(server)
            #expect(refused.status == 1 && refused.errorOutput.contains("channels.json:6:"), "\(refused.errorOutput)")
            #expect(try await channels(server) == names)

            try server.folder.write(right.replacing("canalD", with: "canalE"), to: "channels.json")
            let answer = try await reload(server)
            #expect(
                answer.status == 0 && answer.text == "channels added: canalE\nchannels removed: canalD\n", "\(answer)")
            #expect(try await channels(server) == ["canalA", "canalB", "canalC", "canalE"])
            try server.folder.write(right, to: "channels.json")
            server.signal(SIGHUP)
            _ = try await eventually("the signal reloads") { try await channels(server) == names ? true : nil }
            // So does the change alone.
            try server.folder.write(right.replacing("canalD", with: "canalF"), to: "channels.json")
            _ = try await eventually("the change reloads") {
                try await channels(server) == ["canalA", "canalB", "canalC", "canalF"] ? true : nil
            }

            server.signal(SIGTERM)
            #expect(try await server.waitForExit(within: 10) == 0)
            #expect(server.log.contains("stopping on SIGTERM or SIGINT") && server.log.contains("server stopped"))
        }

        private func reload(_ server: AntenaProcess) async throws -> ExternalTool.Result {
            try await server.command(["reload", "--server", server.origin])
        }

        @Test func aDamagedSecretEndsTheStartWithAdvice() async throws {
            let server = try AntenaProcess()
            try FileManager.default.createDirectory(
                atPath: "\(server.folder.path)/data/keys", withIntermediateDirectories: true)
            try server.folder.write("too short", to: "data/keys/secret")
            let folder = server.folder.path
            let result = try await AntenaProcess.command([
                "serve", "--http", "127.0.0.1:0", "--rtsp", "127.0.0.1:0", "--wowza-port", "off",
                "--media", "\(folder)/media", "--data", "\(folder)/data", "--channels", "\(folder)/channels.json",
            ])
            #expect(result.status != 0)
            #expect(result.errorOutput.contains("Restore it from a backup"))
        }
    }
}
