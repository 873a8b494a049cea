import JSONDocument
import Testing

@testable import APIClient

struct SettingChangeTests {
    @Test func settingsAreTypedAsPathAndValue() throws {
        let changes = try [
            "encrypt=true", "presets.low.width=100", "viewing.vod=members", "presets.low.height=5", "ladder=[]",
        ]
        .map { try #require(SettingChange($0)) }
        #expect(
            SettingChange.patch(changes).rendered
                == #"{"encrypt":true,"presets":{"low":{"width":100,"height":5}},"viewing":{"vod":"members"},"ladder":[]}"#
        )
    }

    @Test func aRemovedSettingIsNull() throws {
        let change = try #require(SettingChange(removing: "presets.low"))
        #expect(SettingChange.patch([change]).rendered == #"{"presets":{"low":null}}"#)
        let empty = try #require(SettingChange("title="))
        #expect(empty.value == .string(""))
    }

    @Test(arguments: ["encrypt", "=true", ".a=1", "a..b=1"]) func otherTextsAreRefused(text: String) {
        #expect(SettingChange(text) == nil)
    }
}
