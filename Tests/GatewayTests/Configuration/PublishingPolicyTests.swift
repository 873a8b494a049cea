import APIDeclarations
import APIContract
import Foundation
import GatewayTestSupport
import LiveChannels
import Testing

@testable import APIClient
@testable import Gateway
@testable import JSONDocument
@testable import ServerSettings

struct PublishingPolicyTests {
    /// The output of `printf ana:Antena:secret | md5sum`, and of `sha256sum`.
    private static let md5 = "e1dc42fac3a698ef3644778c419dc34a"
    private static let sha256 = "b887d8368fda8df615d0155bbf35d32be7f1c3c39af34cfb42424a641f547050"

    /// A file with one channel, whose fields begin in column 40 of line 2.
    private static func file(_ fields: String) -> String {
        """
        {"presets": {"low": {"width": 426, "height": 240, "frameRate": 24, "videoBitrate": 400000, "audioBitrate": 64000}},
         "channels": [{"name": "a", "defaultPreset": "low", "presets": ["low"]\(fields.isEmpty ? "" : ", ")\(fields)}]}
        """
    }

    private func policy(_ fields: String) throws -> PublishingPolicy {
        try #require(ChannelsFile.parse(Self.file(fields).utf8, file: "x").channels.first).publishing
    }

    private func issues(_ fields: String) -> [String] {
        do throws(JSONFileError) {
            _ = try ChannelsFile.parse(Self.file(fields).utf8, file: "x")
            return []
        } catch {
            return error.issues.map { issue in "\(issue.field): \(issue.message)" }
        }
    }

    @Test func saysNothingAndIsCautious() throws {
        #expect(try policy("") == PublishingPolicy(access: .loopback, secondPublisher: .refuse, enforcesPreset: false))
    }

    @Test(arguments: [
        (#""publish": "loopback""#, PublishingPolicy()), (#""publish": "anyone""#, PublishingPolicy(access: .anyone)),
        (#""secondPublisher": "refuse""#, PublishingPolicy()),
        (#""secondPublisher": "takeOver""#, PublishingPolicy(secondPublisher: .takeOver)),
        (#""secondPublisher": "queue""#, PublishingPolicy(secondPublisher: .queue)),
        (#""enforcePreset": false"#, PublishingPolicy()),
        (#""enforcePreset": true"#, PublishingPolicy(enforcesPreset: true)),
    ])
    func takesEachField(_ fields: String, _ expected: PublishingPolicy) throws {
        #expect(try policy(fields) == expected)
    }

    @Test func passwordsAndTheirDigestsAreTheSame() throws {
        let expected = PublisherCredential(username: "ana", md5: Self.md5, sha256: Self.sha256)
        let plain = try policy(#""publishers": [{"user": "ana", "password": "secret"}]"#)
        let hashed = try policy(
            #""publishers": [{"user": "ana", "md5": "\#(Self.md5.uppercased())", "sha256": "\#(Self.sha256)"}]"#)
        #expect(plain.access == .credentials([expected]))
        #expect(hashed.access == .credentials([expected]))
        let two = try policy(
            #""publish": "anyone", "publishers": [{"user": "ana", "password": "secret"}, "#
                + #"{"user": "luis", "password": "ñ:☂"}]"#)
        let other = PublisherCredential(
            username: "luis", md5: "8c33a041ed3b0fb4feb6e8fccb3f9bcc",
            sha256: "48233acbe2feb84c4ff82f77962fcf547b9241b9e3e01a3d105be7f2c0d3d1ec")
        #expect(!"\(two)".contains(Self.md5) && !"\(two)".contains(Self.sha256), "not even in a log")
        #expect(two.access == .credentials([expected, other]), "credentials are needed from everywhere then")
    }

    @Test(arguments: [
        (
            #""publish": "all""#,
            #"channels[0].publish: "all" is not allowed here; must be one of: "loopback", "anyone", "accounts""#
        ),
        (#""publish": true"#, "channels[0].publish: must be a string, not true"),
        (
            #""secondPublisher": "fight""#,
            #"channels[0].secondPublisher: "fight" is not allowed here; must be one of: "refuse", "takeOver", "queue""#
        ),
        (#""enforcePreset": 1"#, "channels[0].enforcePreset: must be true or false, not 1"),
        (#""publishers": []"#, "channels[0].publishers: must have at least 1 entries, not 0"),
        (
            #""publishers": [{"user": "ana"}]"#,
            #"channels[0].publishers[0]: must have either "password", or "md5" and "sha256""#
        ),
        (
            #""publishers": [{"user": "ana", "md5": "e1dc42fac3a698ef3644778c419dc34a"}]"#,
            #"channels[0].publishers[0]: must have either "password", or "md5" and "sha256""#
        ),
        (#""publishers": [{"password": "secret"}]"#, #"channels[0].publishers[0]: "user" is missing"#),
        (
            #""publishers": [{"user": "a:b", "password": "secret"}]"#,
            #"channels[0].publishers[0].user: "a:b" may only have letters without accents, digits and . _ @ + -, 64 at most"#
        ),
        (
            #""publishers": [{"user": "ana", "password": ""}]"#,
            "channels[0].publishers[0].password: must have at least 1 characters, not 0"
        ),
        (
            #""publishers": [{"user": "ana", "password": "x"}, {"user": "ana", "password": "y"}]"#,
            #"channels[0].publishers[1].user: "ana" is already on line 2"#
        ),
    ])
    func explainsFaults(_ fields: String, _ expected: String) { #expect(issues(fields) == [expected]) }

    /// A password must not appear in errors, because they end up in logs and screenshots.
    @Test(arguments: [
        #""publishers": [{"user": "ana", "password": 4711}]"#,
        #""publishers": [{"user": "ana", "password": ["4711"]}]"#,
        #""publishers": [{"user": "ana", "md5": "4711", "sha256": "4711"}]"#,
        #""publishers": [{"user": "ana", "md5": 4711, "sha256": {"x": "4711"}}]"#,
        #""publishers": [{"user": "ana", "password": "4711", "md5": "4711"}]"#,
        #""publishers": ["ana:4711"]"#, #""publishers": "ana:4711""#,
    ])
    func messagesDoNotRepeatSecrets(_ fields: String) {
        let found = issues(fields)
        #expect(!found.isEmpty)
        #expect(!found.contains { $0.contains("4711") }, "\(found)")
    }

    // MARK: For the command line

    @Test func anEntryForTheFileHasNoPasswordInIt() throws {
        let entry = try ChannelsFile.publisherEntry(user: "ana", password: "secret")
        #expect(entry == #"{"user":"ana","md5":"\#(Self.md5)","sha256":"\#(Self.sha256)"}"#)
        let access = try policy("\"publishers\": [\(entry)]").access
        #expect(access == .credentials([PublisherCredential(username: "ana", password: "secret")]))
    }

    @Test(arguments: [
        ("", "secret"), ("a b", "secret"), ("a:b", "secret"), (String(repeating: "a", count: 65), "secret"),
        ("ana", ""), ("ana", String(repeating: "4711", count: 65)),
    ])
    func refusesWhatTheFileWouldNotTake(_ user: String, _ password: String) {
        #expect {
            _ = try ChannelsFile.publisherEntry(user: user, password: password)
        } throws: { error in
            !"\(error)".contains("4711") && !"\(error)".contains("secret")
        }
    }

    @Test func theCheckSaysWhoMayPublish() throws {
        func summary(_ fields: String) throws -> String {
            ServeSummary(
                configuration: ServerConfiguration(),
                channelsFile: try ChannelsFile.parse(Self.file(fields).utf8, file: "x")
            ).text
        }
        #expect(try summary("").contains("published to by anyone on this machine; a second publisher is refused\n"))
        let text = try summary(
            #""publishers": [{"user": "ana", "password": "secret"}, {"user": "luis", "password": "x"}], "#
                + #""secondPublisher": "takeOver", "enforcePreset": true"#)
        #expect(
            text.contains("published to by ana, luis; a second publisher takes over; the preset is enforced\n"))
        #expect(!text.contains("secret") && !text.contains(Self.md5))
    }

    @Test func theCheckSaysWhatHappensBetweenPushes() throws {
        func summary(_ fields: String) throws -> String {
            ServeSummary(
                configuration: ServerConfiguration(),
                channelsFile: try ChannelsFile.parse(Self.file(fields).utf8, file: "x")
            ).text
        }
        let text = try summary(#""publish": "loopback""#)
        #expect(text.contains("target duration as the publisher needs\n"))
        #expect(text.contains("without a publisher viewers wait\n"))
        let ending = try summary(#""targetDuration": 8, "onLoss": "end", "lossTimeout": 5"#)
        #expect(ending.contains("target duration 8 s\n"))
        #expect(ending.contains("without a publisher it ends after 5 s\n"))
        #expect(try summary(#""onLoss": "slate""#).contains("viewers see a card with the channel's title\n"))
        let missing = try summary(#""onLoss": "slate", "slate": "no such.mp4""#)
        #expect(missing.contains("viewers wait, because the slate media/vod/no such.mp4 is missing"))
        let there = try summary(#""onLoss": "slate", "slate": "/proc/self/exe""#)
        #expect(there.contains("viewers see /proc/self/exe\n"))
    }

    // MARK: The status table

    @Test func theStatusSaysWhatToSetInTheEncoder() throws {
        let channels = try [#"{"advice": "do a"}"#, #"{"advice": "do b", "keyFrameDistance": 10.5}"#].map {
            try APIObject<ChannelFields>(parsing: #"{"name": "canalA", "gopTooLong": \#($0)}"#.utf8)
        }
        let table = """
            CHANNEL  NOTICE      KEY FRAMES    WHAT TO DO
            canalA   gopTooLong  -             do a
            canalA   gopTooLong  every 10.5 s  do b
            """
        let text = StatusReport(channels: channels, titles: [], tracks: []).text
        #expect(text.contains(table), "\(text)")
        let away = try APIObject<ChannelFields>(
            parsing: #"{"name": "canalA", "state": "interrupted", "slate": true}"#.utf8)
        #expect(StatusReport(channels: [away], titles: [], tracks: []).text.contains("canalA   interrupted, slate  "))
        #expect(!StatusReport(channels: [], titles: [], tracks: []).text.contains("NOTICE"))
    }

    @Test func theStatusShowsPromisedAndMeasured() throws {
        let channel = try APIObject<ChannelFields>(
            parsing: #"""
                {"name": "canalA", "state": "live", "preset": "low", "publisher": {"address": "1.2.3.4:5"}, "viewers": 0,
                 "waitingPublishers": [{"address": "1.2.3.4:6"}], "packetsLost": 0,
                 "presetComparison": {
                   "resolution": {"promised": {"width": 426, "height": 240}, "measured": {"width": 640, "height": 360},
                     "verdict": "above"},
                   "frameRate": {"promised": 24, "measured": 24.02, "verdict": "kept"},
                   "videoBitrate": {"promised": 400000, "measured": 150000, "verdict": "below"},
                   "audioBitrate": {"promised": 64000}},
                 "tracks": [{"type": "audio", "codec": "AAC", "transcodedFrom": "G.722", "bitRate": 64000}]}
                """#.utf8)
        let text = StatusReport(channels: [channel], titles: [], tracks: []).text
        #expect(text.contains("1.2.3.4:5 (1 waiting)  AAC transcoded from G.722 64 kb/s"))
        let table = """
            CHANNEL  PRESET  QUANTITY    PROMISED  MEASURED  VERDICT
            canalA   low     resolution  426x240   640x360   above
            canalA   low     frame rate  24 fps    24 fps    kept
            canalA   low     video       400 kb/s  150 kb/s  below
            canalA   low     audio       64 kb/s   -         -
            """
        #expect(text.contains(table), "\(text)")
    }
}
