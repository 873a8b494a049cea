import LiveChannels
import Testing

@testable import Gateway
@testable import JSONDocument
@testable import ServerSettings

struct ArchivePolicyTests {
    static let preset =
        #""presets": {"low": {"width": 426, "height": 240, "frameRate": 24, "videoBitrate": 400000, "audioBitrate": 64000}}"#

    private func file(_ fields: String) throws -> ChannelsFile {
        let channel = #"{"name": "a", "defaultPreset": "low", "presets": ["low"]\#(fields)}"#
        return try ChannelsFile.parse(Array("{\(Self.preset), \"channels\": [\(channel)]}".utf8), file: "channels.json")
    }

    @Test(arguments: [
        ("", ArchivePolicy()),
        (#", "dvrWindow": "90s""#, ArchivePolicy(windowSeconds: 90)),
        (#", "dvrWindow": "30m", "record": "manual""#, ArchivePolicy(windowSeconds: 1_800)),
        (#", "dvrWindow": "24h", "record": "always""#, ArchivePolicy(windowSeconds: 86_400, recordsAlways: true)),
        (
            #", "recordings": {"maximumBytes": 50000000000, "maximumAgeDays": 30}"#,
            ArchivePolicy(recordingLimits: RecordingLimits(maximumByteCount: 50_000_000_000, maximumAgeDays: 30))
        ),
    ])
    func readsWhatAChannelKeeps(_ fields: String, _ policy: ArchivePolicy) throws {
        #expect(try file(fields).channels.first?.archive == policy)
    }

    @Test(arguments: [
        (#", "dvrWindow": "2 h""#, "dvrWindow"), (#", "dvrWindow": 7200"#, "dvrWindow"),
        (#", "dvrWindow": "0s""#, "at most 24h"), (#", "dvrWindow": "25h""#, "at most 24h"),
        (#", "dvrWindow": "99999h""#, "at most 24h"), (#", "record": "sometimes""#, "record"),
        (#", "recordings": {"maximumBytes": 1}"#, "maximumBytes"), (#", "recordings": {"days": 1}"#, "days"),
        (#", "recordings": {"maximumAgeDays": 0}"#, "maximumAgeDays"),
    ])
    func saysWhatIsWrong(_ fields: String, _ expected: String) {
        let error = #expect(throws: JSONFileError.self) { try file(fields) }
        #expect(error?.issues.contains { "\($0)".contains(expected) } == true, "\(String(describing: error))")
    }
}
