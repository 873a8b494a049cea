import APIContract
import Foundation
import TestSupport
import Testing

@testable import Gateway
@testable import ServerSettings

struct OperatorTokenTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory(label: "token") }

    private var path: String { "\(folder.path)/\(OperatorToken.fileName)" }

    @Test func isMadeOnceForTheServersUserAlone() throws {
        // The leftover of an interrupted start.
        let rest = ".\(OperatorToken.fileName).new-0123456789abcdef"
        try folder.write("rest", to: rest)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3_600)], ofItemAtPath: "\(folder.path)/\(rest)")
        let (token, isNew) = try OperatorToken.load(orMakeIn: folder.path)
        #expect(isNew && token.text.count == 64)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [OperatorToken.fileName])
        let again = try OperatorToken.load(orMakeIn: folder.path)
        #expect(again.token == token && !again.isNew)
        #expect(try OperatorToken.read(path: path) == token)
        #expect(OperatorToken() != token)
        #expect(!"\(token)".contains(token.text))
    }

    @Test(arguments: ["", "abc", String(repeating: "g", count: 64), String(repeating: "a", count: 65)])
    func aDamagedFileEndsTheStart(text: String) throws {
        try folder.write(text, to: OperatorToken.fileName)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let error = #expect(throws: ServerStartError.self) { try OperatorToken.load(orMakeIn: folder.path) }
        #expect(error?.description.contains("delete it") == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text, "it is left for a person to look at")
    }

    @Test(arguments: [0o644, 0o640, 0o602]) func aFileOthersMayUseEndsTheStart(mode: Int) throws {
        _ = try OperatorToken.load(orMakeIn: folder.path)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let error = #expect(throws: ServerStartError.self) { try OperatorToken.load(orMakeIn: folder.path) }
        #expect(error?.description.contains("chmod 600 \(path)") == true)
    }

    @Test func linksAndFoldersAreNotTokens() throws {
        try folder.write(OperatorToken().text, to: "elsewhere")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(folder.path)/elsewhere")
        #expect(throws: ServerStartError.self) { try OperatorToken.load(orMakeIn: folder.path) }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: ServerStartError.self) { try OperatorToken.load(orMakeIn: folder.path) }
    }
}
