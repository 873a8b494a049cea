import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct ConfigurationTests {
        private func check(_ channels: String) async throws -> ExternalTool.Result {
            let folder = try TemporaryDirectory(label: "check")
            let file = try folder.write(channels, to: "channels.json")
            try FileManager.default.createDirectory(atPath: "\(folder.path)/media", withIntermediateDirectories: true)
            return try await AntenaProcess.command([
                "serve", "--check", "--channels", file, "--data", "\(folder.path)/data", "--media",
                "\(folder.path)/media",
            ])
        }

        @Test func printsWhatWouldRun() async throws {
            let result = try await check(AntenaProcess.channelsFile())
            #expect(result.status == 0)
            #expect(result.text.contains("canalA"))
            #expect(result.text.contains("canalD"))
        }

        @Test(arguments: [
            ("\"width\": 854", "\"width\": \"wide\"", ":3:", "width"),
            ("\"defaultPreset\": \"medium\"", "\"defaultPreset\": \"best\"", ":6:", "medium"),
            ("\"frameRate\": 30", "\"frameRate\": 300", ":3:", "60"),
            ("\"name\": \"canalB\"", "\"name\": \"canalA\"", ":8:", "canalA"),
            ("\"presets\": {", "\"presets\": [", ":", "channels.json"),
        ])
        func namesLineFieldAndAllowedValues(
            _ old: String, _ new: String, _ line: String, _ word: String
        ) async throws {
            let text = AntenaProcess.channelsFile().replacing(old, with: new, maxReplacements: 1)
            let result = try await check(text)
            #expect(result.status != 0)
            #expect(result.errorOutput.contains("channels.json\(line)"), "\(result.errorOutput)")
            #expect(result.errorOutput.contains(word), "\(result.errorOutput)")
        }
    }
}
