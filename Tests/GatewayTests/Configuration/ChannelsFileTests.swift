import Community
import Foundation
import LiveChannels
import MediaCore
import Packaging
import TestSupport
import Testing

@testable import Features
@testable import Gateway
@testable import JSONDocument
@testable import ServerSettings

struct ChannelsFileTests {
    private static let presets = """
        "low": {"width": 426, "height": 240, "frameRate": 24, "videoBitrate": 400000, "audioBitrate": 64000}
        """

    private func issues(_ text: String) -> [JSONIssue] {
        do throws(JSONFileError) {
            _ = try ChannelsFile.parse(text.utf8, file: "channels.json")
            return []
        } catch {
            return error.issues
        }
    }

    private static let encryptions: [(String, EncryptionMethod?)] = [
        ("", nil), (#""encrypt": false,"#, nil), (#""encrypt": true,"#, .aes128), (#""encryption": "none","#, nil),
        (#""encryption": "aes-128","#, .aes128), (#""encryption": "cbcs","#, .cbcs),
    ]

    @Test(arguments: encryptions)
    func titlesAreEncryptedInOneOfTwoWays(_ member: String, _ method: EncryptionMethod?) throws {
        #expect(try ChannelsFile.parse(Self.text(member).utf8, file: "channels.json").titleEncryption == method)
    }

    @Test func theTwoNamesOfTheEncryptionExcludeEachOther() {
        let both = issues(Self.text(#""encrypt": true, "encryption": "cbcs","#))
        #expect(both.map(\.field) == ["encryption"] && both.first?.message.contains("\"encrypt\"") == true)
        #expect(issues(Self.text(#""encryption": "cenc","#)).map(\.field) == ["encryption"])
    }

    /// A file with a member beside the channels.
    private static func text(_ member: String) -> String {
        """
        {\(member) "presets": {\(presets)}, "channels": [{"name": "a", "defaultPreset": "low", "presets": ["low"]}]}
        """
    }

    @Test func shippedFileHasFourChannels() throws {
        let path = "\(Repository.path)/channels.json"
        try #require(FileManager.default.fileExists(atPath: path), "run from the repository")
        let file = try ChannelsFile.load(path: path)
        #expect(file.channels.map(\.name) == ["canalA", "canalB", "canalC", "canalD"])
        #expect(file.presets == QualityPreset.shipped)
        #expect(file.channels[0].defaultPreset == "medium")
        #expect(file.channels[0].presets.map(\.videoBitRate) == [400_000, 1_200_000, 2_500_000])
        #expect(file.channels[0].title == "Canal A")
    }

    @Test func shippedSchemaIsTheLoadersOwn() throws {
        let shipped = try Data(contentsOf: URL(filePath: "\(Repository.path)/channels.schema.json"))
        #expect(Array(shipped) == ChannelsFile.schemaText)
    }

    @Test func everyKeywordOfTheSchemaIsChecked() throws {
        #expect(JSONSchema(try JSONParser.parse(ChannelsFile.schemaText)).unsupportedKeywords == [])
    }

    private static func file(_ fields: String) throws -> ChannelsFile {
        try ChannelsFile.parse(
            """
            {"presets": {\(presets)}, "channels": [{"name": "a", "defaultPreset": "low", "presets": ["low"], \(fields)}]}
            """.utf8, file: "x")
    }

    @Test func bannersLeadToPagesOnly() throws {
        func text(_ link: String, place: String = "top") -> String {
            """
            {"presets": {\(Self.presets)}, "channels": [{"name": "a", "defaultPreset": "low", "presets": ["low"]}],
            "community": {"banners": [
            {"place": "\(place)", "image": "b/a.png", "link": "\(link)", "text": "A"}]}}
            """
        }
        func banners(_ text: String) -> [CommunityBanner]? {
            (try? ChannelsFile.parse(text.utf8, file: "x")).map { CommunitySettings($0.section(.community)).banners }
        }
        for link in ["https://a.example", "http://a.example:80/x?y=1#z"] {
            let expected = CommunityBanner(place: .top, image: "b/a.png", link: link, text: "A")
            #expect(banners(text(link)) == [expected], "\(link)")
        }
        for link in [
            "javascript:alert(1)", "//a.example", "ftp://a.example", "https://", "https:///x", "https://a b", "",
        ] {
            #expect(issues(text(link)).contains { "\($0)".contains("begins with http:// or https://") }, "\(link)")
        }
        #expect(!issues(text("https://a.example", place: "left")).isEmpty)
    }

    @Test(
        arguments: [
            ("logos/a.png", .file("logos/a.png")), ("/srv/a b.jpg", .file("/srv/a b.jpg")),
            ("https://example.org/a.png?x=1", .address("https://example.org/a.png?x=1")),
            ("https://example.org:8443", .address("https://example.org:8443")),
        ] as [(String, ChannelCover)])
    func takesDescriptionsAndCovers(text: String, cover: ChannelCover) throws {
        let channel = try Self.file("\"description\": \"Noticias\", \"cover\": \"\(text)\"").channels[0]
        #expect(channel.summary == "Noticias" && channel.cover == cover)
    }

    @Test(arguments: [
        "http://example.org/a.png", "https://", "https:///a.png", "https://user@example.org/a.png",
        "https://example.org; script-src *", "https://exämple.org/a.png", "javascript://x", "file:///etc/passwd",
    ])
    func coversOfOtherKindsAreRefused(text: String) throws {
        #expect(throws: JSONFileError.self) { try Self.file("\"cover\": \"\(text)\"") }
    }

    @Test(arguments: ["https://example.org/canal?x=1", "http://example.org", "https://xn--exmple-cua.org/#a"])
    func channelsHaveAWebAddress(text: String) throws {
        #expect(try Self.file("\"website\": \"\(text)\"").channels[0].website == text)
    }

    @Test(arguments: [
        "example.org", "javascript://x", "https://", "https:///a", "https://example.org/a b", "HTTPS://a.b",
    ])
    func otherWebAddressesAreRefused(text: String) throws {
        #expect(throws: JSONFileError.self) { try Self.file("\"website\": \"\(text)\"") }
    }

    @Test func descriptionsAreLimited() throws {
        let text = String(repeating: "ñ", count: 1_000)
        #expect(try Self.file("\"description\": \"\(text)\"").channels[0].summary == text)
        #expect(throws: JSONFileError.self) { try Self.file("\"description\": \"\(text)n\"") }
        #expect(throws: JSONFileError.self) { try Self.file("\"description\": \"\"") }
    }

    @Test func takesDurations() throws {
        let file = try ChannelsFile.parse(
            """
            {"presets": {\(Self.presets)}, "channels": [{"name": "a", "defaultPreset": "low", "presets": ["low"],
             "partDuration": 0.2, "segmentDuration": 4, "targetDuration": 8}]}
            """.utf8, file: "x")
        #expect(file.channels[0].packaging.partDuration == 0.2)
        #expect(file.channels[0].packaging.segmentDuration == 4)
        #expect(file.channels[0].packaging.targetDuration == 8)
        #expect(file.channels[0].targetDuration == .configured)
        #expect(file.channels[0].title == "a")
    }

    @Test(arguments: [
        ("", [], "libx264", nil), (#", "ladder": []"#, [], "libx264", nil),
        (#", "ladder": ["low"], "ladderEncoder": "libsvtav1""#, ["low"], "libsvtav1", nil),
        (#", "ladder": ["huge"]"#, [], "", #"ladder[0]: there is no preset "huge""#),
        (#", "ladderEncoder": "a b""#, [], "", "ladderEncoder: "),
        (#", "ladderEncoder": "h264_vaapi""#, [], "h264_vaapi", nil),
        (#", "ladderEncoder": "mpeg4""#, [], "", #"ladderEncoder: "mpeg4" is not a supported encoder"#),
        (#", "ladderEncoder": "libvpx-vp9""#, [], "", "must be one of: libx264, "),
    ])
    func takesTheQualitiesOfTitles(_ more: String, _ names: [String], _ encoder: String, _ issue: String?) throws {
        let text = """
            {"presets": {\(Self.presets)}, "channels": [
            {"name": "a", "defaultPreset": "low", "presets": ["low"]}]\(more)}
            """
        do throws(JSONFileError) {
            let file = try ChannelsFile.parse(text.utf8, file: "x")
            #expect(issue == nil)
            #expect(file.ladder.map(\.name) == names)
            #expect(file.ladderEncoder == encoder)
        } catch {
            #expect(issue.map { error.description.contains($0) } == true, "\(error)")
        }
    }

    private func channel(_ fields: String) -> String {
        """
        {"presets": {\(Self.presets)}, "channels": [
        {"name": "a", "defaultPreset": "low", "presets": ["low"]\(fields)}]}
        """
    }

    @Test func takesTheQualityWithTheScoreboard() throws {
        let plain = try ChannelsFile.parse(channel("").utf8, file: "x").channels[0]
        #expect(plain.scoreboardPreset == nil && !plain.relays.restreamsScoreboard)
        let drawn = try ChannelsFile.parse(
            channel(#", "scoreboardRendition": "low", "scoreboardLanguage": "es", "restreamScoreboard": true"#).utf8,
            file: "x"
        ).channels[0]
        #expect(drawn.scoreboardPreset?.name == "low" && drawn.scoreboardLanguage == "es")
        #expect(drawn.relays.restreamsScoreboard && drawn.ladder.isEmpty)
    }

    @Test(arguments: [
        (#", "scoreboardRendition": "huge""#, #"scoreboardRendition: there is no preset "huge""#),
        (#", "scoreboardRendition": "low", "scoreboardLanguage": "tlh""#, "scoreboardLanguage: "),
        (#", "scoreboardLanguage": "es""#, #"scoreboardLanguage: has no effect without "scoreboardRendition""#),
        (#", "restreamScoreboard": true"#, #"restreamScoreboard: has no effect without "scoreboardRendition""#),
    ])
    func explainsWhatIsWrongWithTheScoreboard(_ fields: String, _ expected: String) {
        let found = issues(channel(fields)).map { "\($0)" }
        #expect(found.contains { $0.contains("channels[0].\(expected)") }, "\(found)")
    }

    @Test(arguments: [
        ("", TargetDurationPolicy.automatic, LossPolicy(action: .hold, timeoutSeconds: 30)),
        (#", "targetDuration": "auto", "segmentDuration": 10"#, .automatic, LossPolicy()),
        (#", "targetDuration": 8, "onLoss": "hold""#, .configured, LossPolicy()),
        (#", "onLoss": "end""#, .automatic, LossPolicy(action: .end)),
        (#", "onLoss": "slate""#, .automatic, LossPolicy(action: .slate)),
        (#", "onLoss": "slate", "slate": "a b.mp4""#, .automatic, LossPolicy(action: .slate, slateFile: "a b.mp4")),
        (#", "onLoss": "end", "lossTimeout": 5"#, .automatic, LossPolicy(action: .end, timeoutSeconds: 5)),
    ])
    func takesWhatHappensBetweenPushes(_ fields: String, _ targetDuration: TargetDurationPolicy, _ loss: LossPolicy)
        throws
    {
        let file = try ChannelsFile.parse(channel(fields).utf8, file: "x")
        #expect(file.channels[0].targetDuration == targetDuration)
        #expect(file.channels[0].onLoss == loss)
    }

    @Test(arguments: [
        (#", "targetDuration": "automatic""#, #"targetDuration: "automatic" must be a number of seconds or auto"#),
        (#", "targetDuration": 0"#, "targetDuration: must be from 1 to 60, not 0"),
        (#", "targetDuration": 6.5"#, "targetDuration: must be a whole number or a string, not 6.5"),
        (
            #", "targetDuration": 2, "segmentDuration": 3"#,
            "segmentDuration: a segment (3.0 s) must not be longer than targetDuration (2 s)"
        ),
        (#", "onLoss": "stop""#, #"onLoss: "stop" is not allowed here; must be one of: "hold", "slate", "end""#),
        (#", "lossTimeout": 0"#, "lossTimeout: must be from 1 to 240, not 0"),
        (#", "lossTimeout": 241"#, "lossTimeout: must be from 1 to 240, not 241"),
    ])
    func explainsWhatIsWrongWithThem(_ fields: String, _ expected: String) {
        let found = issues(channel(fields)).map { "\($0)" }
        #expect(found.contains { $0.hasSuffix("channels[0].\(expected)") }, "\(found)")
    }

    @Test func namesLineFieldAndAllowedValuesOfAllFaults() {
        let found = issues(
            """
            {"presets": {\(Self.presets)},
             "channels": [
              {"name": "a", "defaultPreset": "low", "presets": ["low"]},
              {"name": "b c", "defaultPreset": "low", "presets": ["low"]},
              {"name": "a", "defaultPreset": "medum", "presets": ["low", "hi"]},
              {"name": "d", "defaultPreset": "low", "presets": ["low"], "colour": 1, "partDuration": 9}
             ]}
            """)
        #expect(
            found.map { "\($0)" } == [
                #"4:12: channels[1].name: "b c" may only have letters without accents, digits, - and _, 64 at most"#,
                #"5:12: channels[2].name: "a" is taken by the channel on line 3"#,
                #"5:34: channels[2].defaultPreset: "medum" is not a preset of this channel; must be one of: low, hi"#,
                #"5:62: channels[2].presets[1]: there is no preset "hi"; "presets" above defines low"#,
                "6:61: channels[3].colour: there is no such field; must be one of: name, audience, title, description, cover, "
                    + "artist, album, programmes, website, defaultPreset, presets, partDuration, segmentDuration, targetDuration, "
                    + "onLoss, lossTimeout, captureDelay, slate, publish, publishers, srt, source, onDemand, sourceTransport, "
                    + "sourceCredentials, restreams, secondPublisher, ladder, scoreboardRendition, restreamScoreboard, "
                    + "scoreboardLanguage, ladderOnDemand, keepOpus, enforcePreset, dvrWindow, record, recordings",
                "6:90: channels[3].partDuration: must be from 0.2 to 2, not 9",
                "6:90: channels[3].partDuration: a part (9.0 s) must not be longer than a segment (2.0 s)",
            ])
    }

    @Test(arguments: [
        ("[]", "1:1: must be an object, not a list"),
        ("{}", #"1:1: "presets" is missing"#),
        (#"{"presets": {}, "channels": 1}"#, "1:13: presets: must have at least 1 fields, not 0"),
        (#"{"presets": {}, "channels": 1}"#, "1:29: channels: must be a list, not 1"),
        (
            #"{"presets": {"x": {"width": 1.5}}, "channels": []}"#,
            "1:29: presets.x.width: must be a whole number, not 1.5"
        ),
        (#"{"presets": {"x": {}}, "channels": []}"#, #"1:19: presets.x: "frameRate" is missing"#),
        (
            #"{"presets": {"x y": {}}, "channels": []}"#,
            #"1:14: presets.x y: "x y" may only have letters without accents, digits, - and _, 64 at most"#
        ),
        ("{,}", "1:2: expected a name in double quotes"),
    ])
    func explainsWrongShapes(_ text: String, _ expected: String) {
        #expect(issues(text).map { "\($0)" }.contains(expected))
    }

    /// It took ten minutes when each channel was checked with what all channels say.
    @Test(.timeLimit(.minutes(1))) func aFileThatIsWrongFromEndToEndIsNotRepeatedAsAMessage() {
        let members = (0..<5_000).map { #""x\#($0)": 1"# }.joined(separator: ", ")
        #expect(issues("{\(members)}").count <= 101)
        let list = Array(repeating: "1", count: 50_000).joined(separator: ",")
        #expect(issues(#"{"presets": {}, "channels": [\#(list)]}"#).count < 10)
    }

    @Test func aFileThatIsNotThereSaysWhichAndWhatToDo() {
        #expect {
            _ = try ChannelsFile.load(path: "/nonexistent/channels.json")
        } throws: { error in
            "\(error)".hasPrefix("/nonexistent/channels.json: there is no such file")
                && "\(error)".contains("--channels")
        }
    }
}
