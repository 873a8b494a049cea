import HTTPEndpoints
import Foundation
import JSONDocument
import TestSupport
import Testing
import Workflows

@testable import Gateway

struct ChannelsDocumentTests {
    private static let text = """
        { "presets": { "low": { "width": 426, "height": 240, "frameRate": 24, "videoBitrate": 400000,
            "audioBitrate": 64000 } },
          "channels": [
            { "name": "a", "title": "A", "defaultPreset": "low", "presets": ["low"],
              "publishers": [{ "user": "ana", "password": "secret1" },
                { "user": "eva", "md5": "00000000000000000000000000000000", "sha256": "0000" }] },
            { "name": "b", "defaultPreset": "low", "presets": ["low"] } ] }
        """

    private func document() throws -> ChannelsDocument {
        try ChannelsDocument(parsing: Array(Self.text.utf8), file: "channels.json")
    }

    private func json(_ text: String) throws -> JSONText { JSONText(try JSONParser.parse(text.utf8)) }

    @Test func secretsAreNotShown() throws {
        let shown = try document().shown.rendered
        for secret in ["secret1", "sha256", "md5"] { #expect(!shown.contains(secret)) }
        #expect(shown.contains("eva"))
        #expect(try document().channel(named: "a")?.rendered.contains("secret1") == false)
        #expect(try document().channel(named: "c") == nil)
    }

    @Test func aChannelIsChangedWhereItStands() throws {
        var document = try document()
        try document.apply(.changeChannel(name: "a", json(#"{"title":null,"partDuration":0.5}"#)))
        try document.apply(.setChannel(name: "c", json(#"{"defaultPreset":"low","presets":["low"]}"#)))
        try document.apply(.removeChannel(name: "b"))
        let names = try JSONParser.parse(document.text)["channels"]?.elements?.map { $0["name"]?.string }
        #expect(names == ["a", "c"])
        let changed = try #require(document.channel(named: "a"))
        #expect(changed["title"] == nil)
        #expect(changed["partDuration"] == .number(0.5))
        // What was not named stays, secrets included.
        #expect(document.json.rendered.contains("secret1"))
    }

    /// A client that reads a channel does not see its passwords, and sends it back without them.
    @Test func publishersWithoutPasswordKeepTheirs() throws {
        var document = try document()
        let read = try #require(document.channel(named: "a"))
        try document.apply(.setChannel(name: "a", read))
        #expect(document.json.rendered.contains(#"{"user":"ana","password":"secret1"}"#))
        #expect(document.json.rendered.contains(#""sha256":"0000""#))
        try document.apply(
            .changeChannel(
                name: "a", json(#"{"publishers":[{"user":"ana","password":"new"},{"user":"new"}]}"#)))
        #expect(document.json.rendered.contains(#"[{"user":"ana","password":"new"},{"user":"new"}]"#))
    }

    @Test func settingsAreMergedAndChannelsAreNot() throws {
        var document = try document()
        try document.apply(.settings(json(#"{"encrypt":true,"presets":{"low":{"width":100}}}"#)))
        #expect(document.json["encrypt"] == .boolean(true))
        #expect(document.json["presets"]?["low"]?["width"] == .number(100))
        #expect(document.json["presets"]?["low"]?["height"] == .number(240))
        #expect(throws: ConfigurationError.self) { try document.apply(.settings(json(#"{"channels":[]}"#))) }
        #expect(throws: ConfigurationError.self) { try document.apply(.settings(json("[]"))) }
    }

    @Test(arguments: [
        ConfigurationEdit.removeChannel(name: "z"), .changeChannel(name: "z", .members([])),
        .changeChannel(name: "a", .array([])), .setChannel(name: "a", .string("x")),
        .changeChannel(name: "a", .object([("name", .string("b"))])),
    ])
    func whatCannotBeIsRefused(edit: ConfigurationEdit) throws {
        var document = try document()
        let before = document
        #expect(throws: ConfigurationError.self) { try document.apply(edit) }
        #expect(document == before)
    }

    /// A client that is not on the machine may name no file that is not named already.
    @Test func whatLeadsToFilesOfTheMachineIsFound() throws {
        var document = try document()
        #expect(document.references.isEmpty)
        try document.apply(.changeChannel(name: "a", json(#"{"slate":"slates/a.png"}"#)))
        #expect(document.references.isEmpty)
        try document.apply(.changeChannel(name: "a", json(#"{"slate":"/etc/passwd"}"#)))
        try document.apply(.changeChannel(name: "b", json(#"{"slate":"x/../../../film.mp4"}"#)))
        try document.apply(
            .settings(json(#"{"accounts":{"providers":[{"name":"p","secretFile":"/etc/shadow"}]}}"#)))
        #expect(document.references.count == 3)
        for cover in ["logos/a.png", "https://example.org/a/../b.png"] {
            try document.apply(.changeChannel(name: "a", json("{\"cover\":\"\(cover)\"}")))
            #expect(document.references.count == 3, "\(cover)")
        }
        for cover in ["/etc/a.png", "../data/a.png", "file:///etc/../a.png"] {
            try document.apply(.changeChannel(name: "a", json("{\"cover\":\"\(cover)\"}")))
            #expect(document.references.count == 4, "\(cover)")
        }
        try document.apply(
            .settings(json(#"{"community":{"banners":[{"image":"banners/a.png"},{"image":"/etc/banner.png"}]}}"#)))
        #expect(document.references.count == 5)
        let before = document
        try document.apply(.settings(json(#"{"accounts":{"providers":[]}}"#)))
        #expect(document.references.isSubset(of: before.references))
    }

    @Test func theFileIsReplacedAsAWholeAndKeepsItsPermissions() throws {
        let folder = try TemporaryDirectory()
        let (target, link) = ("\(folder.path)/real.json", "\(folder.path)/channels.json")
        try Data("old".utf8).write(to: URL(filePath: target))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        try ChannelsFileWriter.write(Array("new".utf8), to: link)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "new")
        #expect(try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int == 0o640)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
        #expect(throws: ConfigurationError.self) {
            try ChannelsFileWriter.write([], to: "\(folder.path)/none/channels.json")
        }
    }
}
