import Foundation
import TestSupport
import Testing

@testable import Broadcaster

struct ProfileTests {
    @Test func profilesOutliveTheProgramAndAreTheirOwnersAlone() throws {
        let folder = try TemporaryDirectory(label: "profiles")
        let store = ProfileStore(environment: ["XDG_CONFIG_HOME": folder.path])
        #expect(try store.names().isEmpty)
        var profile = BroadcastProfile()
        for (key, value) in [("server", "http://h:8080"), ("channel", "canalA"), ("password", "secreto")] {
            try profile.set(key, to: value)
        }
        try store.save(profile, as: "colegio")
        try store.save(BroadcastProfile(), as: "default")
        #expect(try ProfileStore(environment: ["XDG_CONFIG_HOME": folder.path]).profile(named: "colegio") == profile)
        #expect(try store.names() == ["colegio", "default"])
        let attributes = try FileManager.default.attributesOfItem(atPath: store.path)
        #expect((attributes[.posixPermissions] as? Int) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/antena") == ["broadcast.json"])
    }

    @Test func aFileThatIsNoneIsSaidToBe() throws {
        let folder = try TemporaryDirectory(label: "profiles")
        let store = ProfileStore(environment: ["XDG_CONFIG_HOME": folder.path])
        try store.save(BroadcastProfile(), as: "default")
        try Data("{".utf8).write(to: URL(filePath: store.path))
        #expect(throws: BroadcastError.self) { try store.names() }
        #expect(throws: BroadcastError.self) { try store.save(BroadcastProfile(), as: "x") }
        #expect(try Data(contentsOf: URL(filePath: store.path)) == Data("{".utf8), "it is not overwritten")
    }

    @Test func thePathIsTheStandards() {
        #expect(ProfileStore(environment: ["HOME": "/h"]).path == "/h/.config/antena/broadcast.json")
        #expect(
            ProfileStore(environment: ["HOME": "/h", "XDG_CONFIG_HOME": "rel"]).path
                == "/h/.config/antena/broadcast.json")
    }

    @Test(arguments: [
        (["server": "http://h:8080", "channel": "canalA"], "rtsp://h:8554/live/canalA.stream?preset=low"),
        (["server": "http://[::1]:80/", "channel": "canalA"], "rtsp://[::1]:8554/live/canalA.stream?preset=low"),
        (
            ["server": "http://h", "channel": "c", "rtsp": "rtsps://other:322"],
            "rtsps://other:322/live/c.stream?preset=low"
        ),
        (["rtsp": "rtsp://h/app/stream"], "rtsp://h:8554/app/stream"),
    ])
    func aTargetFollowsFromAProfile(_ settings: [String: String], _ url: String) throws {
        var profile = BroadcastProfile()
        for (key, value) in settings { try profile.set(key, to: value) }
        #expect(try profile.target(presetName: "low").url == url)
    }

    /// Each row: the saved settings, the given ones, and the resulting address and user.
    @Test(
        arguments: [
            (
                ["server": "http://school", "channel": "canalA", "user": "ana", "password": "x"],
                ["rtsp": "rtsp://other/app/s"], "rtsp://other:8554/app/s", nil
            ),
            (
                ["server": "http://school", "rtsp": "rtsp://school:1935", "channel": "canalA", "user": "ana"],
                ["server": "http://127.0.0.1"], "rtsp://127.0.0.1:8554/live/canalA.stream", nil
            ),
            (
                ["server": "http://school", "channel": "canalA", "user": "ana"], ["channel": "canalB"],
                "rtsp://school:8554/live/canalB.stream", "ana"
            ),
            (
                ["server": "http://school", "channel": "canalA", "user": "ana"], ["rtsp": "rtsp://school:1935"],
                "rtsp://school:1935/live/canalA.stream", "ana"
            ),
            (["rtsp": "rtsp://h/app/s", "user": "ana"], ["user": "eva"], "rtsp://h:8554/app/s", "eva"),
        ] as [([String: String], [String: String], String, String?)])
    func credentialsStayWithTheirServer(
        _ saved: [String: String], _ given: [String: String], _ url: String, _ user: String?
    ) throws {
        var profile = BroadcastProfile()
        for (key, value) in saved { try profile.set(key, to: value) }
        let target = try profile.overridden(by: given).target(presetName: nil)
        #expect(target.url == url)
        #expect(target.credentials?.username == user)
    }

    @Test func aChannelAndAWholeAddressAreOneTooMany() throws {
        var profile = BroadcastProfile()
        try profile.set("rtsp", to: "rtsp://h/app/s")
        try profile.set("channel", to: "canalA")
        #expect(throws: BroadcastError.self) { try profile.target(presetName: nil) }
    }

    @Test func whatCannotBeWrittenLeavesWhatWasSaved() throws {
        let folder = try TemporaryDirectory(label: "profiles")
        let store = ProfileStore(environment: ["XDG_CONFIG_HOME": folder.path])
        try store.save(BroadcastProfile(), as: "default")
        let before = try Data(contentsOf: URL(filePath: store.path))
        // A file in place of the folder, which stops even root.
        let place = URL(filePath: store.path).deletingLastPathComponent().path
        try FileManager.default.moveItem(atPath: place, toPath: "\(place).away")
        try Data().write(to: URL(filePath: place))
        #expect {
            try store.save(BroadcastProfile(), as: "other")
        } throws: {
            ($0 as? BroadcastError)?.reason.contains("cannot be created") == true
        }
        try FileManager.default.removeItem(atPath: place)
        try FileManager.default.moveItem(atPath: "\(place).away", toPath: place)
        #expect(try Data(contentsOf: URL(filePath: store.path)) == before)
    }

    @Test func whatIsMissingIsNamed() throws {
        #expect {
            try BroadcastProfile().target(presetName: nil)
        } throws: {
            ($0 as? BroadcastError)?.reason.contains("--server") == true
        }
        var profile = BroadcastProfile()
        try profile.set("server", to: "http://h")
        #expect {
            try profile.target(presetName: nil)
        } throws: {
            ($0 as? BroadcastError)?.reason.contains("--channel") == true
        }
    }

    @Test(arguments: [
        ("server", "ftp://h"), ("server", "http://"), ("rtsp", "http://h"), ("rtsp", "rtsp://h:0/"),
        ("transport", "carrier pigeon"), ("color", "blue"),
    ])
    func whatMakesNoSenseIsRefused(_ key: String, _ value: String) {
        var profile = BroadcastProfile()
        #expect(throws: BroadcastError.self) { try profile.set(key, to: value) }
        #expect(profile == BroadcastProfile())
    }

    @Test func credentialsInAnAddressAreNotSentInRequests() throws {
        let target = try PushTarget(parsing: "rtsp://ana:se%20same@h/live/x?preset=low", transport: .tcp)
        #expect(target.credentials == .init(username: "ana", password: "se same"))
        #expect(target.url == "rtsp://h:8554/live/x?preset=low")
        #expect(try PushTarget(parsing: "rtsps://h/x", transport: .udp).port == 322)
    }
}
