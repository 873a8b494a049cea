import Accounts
import Testing

@testable import Gateway
@testable import ServerSettings

/// The audiences in `channels.json`.
struct AudienceRulesTests {
    private static let preset =
        #""low": {"width": 96, "height": 54, "frameRate": 30, "videoBitrate": 40000, "audioBitrate": 64000}"#

    private func text(_ viewing: String, _ fields: String = "") -> String {
        """
        {"presets": {\(Self.preset)}, \(viewing)
         "channels": [{"name": "a", "defaultPreset": "low", "presets": ["low"]\(fields)},
                      {"name": "b", "defaultPreset": "low", "presets": ["low"]}]}
        """
    }

    private func rules(_ viewing: String, _ fields: String = "") throws -> AudienceRules {
        try ChannelsFile.parse(text(viewing, fields).utf8, file: "x").audiences
    }

    @Test func aChannelsOwnAudienceGoesFirst() throws {
        #expect(try rules("").areOpen)
        #expect(try rules("", #", "audience": "members""#).channels == ["a": .members])
        #expect(try rules(#""viewing": {"live": "members"},"#).channels == ["a": .members, "b": .members])
        #expect(
            try rules(#""viewing": {"live": "members"},"#, #", "audience": "everyone""#).channels == ["b": .members])
        let titles = try rules(#""viewing": {"vod": "members", "radio": "invited"},"#)
        #expect(titles.titles == .members && titles.tracks == .invited && titles.channels.isEmpty)
    }

    @Test(arguments: [
        (#""viewing": {"vod": "friends"},"#, "", #"viewing.vod: "friends" is not allowed here"#),
        ("", #", "audience": "nobody""#, #"channels[0].audience: "nobody" is not allowed here"#),
        ("", #", "audience": "members", "record": "always""#, "channels[0].record: recordings would be visible"),
    ])
    func explainsWhatIsWrong(_ viewing: String, _ fields: String, _ expected: String) {
        do {
            _ = try rules(viewing, fields)
            Issue.record("accepted")
        } catch {
            #expect("\(error)".contains(expected), "\(error)")
        }
    }

    @Test func aChannelIsRecordedForThoseWhoMayWatchIt() throws {
        let viewing = #""viewing": {"vod": "members"},"#
        let same = try rules(viewing, #", "audience": "members", "record": "always""#)
        #expect(!same.recordingsReachMore(thanChannel: "a") && !same.recordingsReachMore(thanChannel: "b"))
        #expect(try rules(viewing, #", "audience": "invited""#).recordingsReachMore(thanChannel: "a"))
    }
}
