import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import MediaCore
import NIOCore
import NIOPosix
import Packaging
import TestSupport
import Testing

@testable import HLSDelivery

/// The keys of titles and the tokens that give access to them.
struct TitleEncryptionTests {
    private let key = TitleKey(bytes: Array(0..<16))
    private let secret = SymmetricKey(data: Array(repeating: UInt8(7), count: 32))
    private let now = WallClockTime(secondsSince1970: 1_800_000_000)

    @Test func aTokenIsGoodForItsKeyAndItsTime() {
        let token = TitleKeyToken.current(at: now)
        let text = token.text(for: key, secret: secret)
        #expect(TitleKeyToken.isValid(text, for: key, secret: secret, now: now))
        #expect(TitleKeyToken.isValid(text, for: key, secret: secret, now: now + TitleKeyToken.lifetime))
        #expect(!TitleKeyToken.isValid(text, for: key, secret: secret, now: token.expiry))
        #expect(!TitleKeyToken.isValid(text, for: .random(.aes128), secret: secret, now: now))
        let other = SymmetricKey(size: .bits256)
        #expect(!TitleKeyToken.isValid(text, for: key, secret: other, now: now))
    }

    @Test(arguments: ["", "-", "1900000000-", "1900000000", "x-y", "99999999999999999999-00", "1900000000-\u{0}"])
    func otherTextsAreNoTokens(_ text: String) {
        #expect(!TitleKeyToken.isValid(text, for: key, secret: secret, now: now))
    }

    @Test func everyCharacterOfATokenCounts() {
        let text = Array(TitleKeyToken.current(at: now).text(for: key, secret: secret))
        for index in text.indices {
            var changed = text
            changed[index] = changed[index] == "1" ? "2" : "1"
            #expect(!TitleKeyToken.isValid(String(changed), for: key, secret: secret, now: now))
        }
    }

    /// All viewers of an hour share a token, so that the playlist is rendered once.
    @Test func tokensChangeByTheHour() {
        let hour = WallClockTime(secondsSince1970: now.secondsSince1970 / 3_600 * 3_600)
        let lastSecond = hour + .milliseconds(3_599_999)
        #expect(TitleKeyToken.current(at: hour) == .current(at: lastSecond))
        #expect(TitleKeyToken.current(at: hour) != .current(at: hour + .seconds(3_600)))
        #expect(TitleKeyToken.current(at: lastSecond).expiry - lastSecond >= TitleKeyToken.lifetime)
    }

    @Test func encryptsAsPlayersDecrypt() throws {
        for byteCount in [0, 1, 15, 16, 17, 4_096] {
            let plain = ByteBuffer(repeating: 9, count: byteCount)
            let vector = key.vector(of: "video")
            #expect(vector.count == 16 && vector != key.vector(of: "audio"))
            let sealed = try key.encrypt(plain, of: "video")
            #expect(sealed.readableBytes == byteCount / 16 * 16 + 16)
            let opened = try AES._CBC.decrypt(
                sealed.readableBytesView, using: SymmetricKey(data: key.bytes), iv: AES._CBC.IV(ivBytes: vector))
            #expect(Array(opened) == Array(plain.readableBytesView))
        }
    }

    @Test func keysOutliveTheServerAndAreNobodyElses() throws {
        let folder = try TemporaryDirectory(label: "keys")
        let directory = "\(folder.path)/keys"
        let keys = try TitleKeys(directory: directory)
        try keys.set(.encrypted(.aes128), ofTitle: "film")
        let key = try #require(try keys.key(ofTitle: "film", revision: "r1"))
        try keys.set(.encrypted(.aes128), ofTitle: "film")
        #expect(try keys.key(ofTitle: "film", revision: "r1") == key, "it is not changed")
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(directory)/\(name)")[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(name)")
        }
        let again = try TitleKeys(directory: directory)
        #expect(try again.key(ofTitle: "film", revision: "r1") == key)
        #expect(again.secret == keys.secret)
        try again.set(.clear, ofTitle: "film")
        try again.set(.clear, ofTitle: "film")
        #expect(try TitleKeys(directory: directory).key(ofTitle: "film", revision: "r1") == nil)
        #expect(FileManager.default.fileExists(atPath: "\(directory)/film.clear"))
        try again.set(.byDefault, ofTitle: "film")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["secret"])
        for id in ["", "../film", ".film", "a/b", "a\u{0}"] {
            #expect(throws: TitleKeyError.self) { try keys.set(.encrypted(.aes128), ofTitle: id) }
        }
    }
}

/// Keys of titles whose samples are encrypted.
struct SampleKeyTests {
    private let folder: TemporaryDirectory
    private var directory: String { "\(folder.path)/keys" }

    init() throws { folder = try TemporaryDirectory(label: "keys") }

    private func key(_ keys: TitleKeys) throws -> TitleKey? { try keys.key(ofTitle: "film", revision: "r1") }

    /// Another method is another key, so that segments have other addresses.
    @Test func theMethodOutlivesTheServerAndChangesTheKey() throws {
        let keys = try TitleKeys(directory: directory)
        try keys.set(.encrypted(.aes128), ofTitle: "film")
        let first = try #require(try key(keys))
        try keys.set(.encrypted(.cbcs), ofTitle: "film")
        let second = try #require(try key(keys))
        #expect(second.method == .cbcs && second.bytes != first.bytes && second.id != first.id)
        #expect(second.commonID.count == 16 && second.commonID != second.bytes)
        let again = try TitleKeys(directory: directory)
        #expect(try key(again) == second && again.method(ofTitle: "film") == .cbcs)
        try again.set(.encrypted(.aes128), ofTitle: "film")
        #expect(try key(TitleKeys(directory: directory))?.method == .aes128)
        try again.set(.encrypted(.cbcs), ofTitle: "film")
        try again.set(.clear, ofTitle: "film")
        #expect(try TitleKeys(directory: directory).method(ofTitle: "film") == nil)
        try again.set(.byDefault, ofTitle: "film")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["secret"])
    }

    @Test func theDefaultHasAKeyForEachMethod() throws {
        let keys = try TitleKeys(directory: directory, defaultMethod: .cbcs)
        let samples = try #require(try key(keys))
        keys.setDefault(.aes128)
        let resources = try #require(try key(keys))
        #expect(samples.method == .cbcs && resources.method == .aes128)
        #expect(samples.bytes != resources.bytes && samples.id != resources.id)
        #expect(TitleKey(bytes: samples.bytes).id != samples.id)
        keys.setDefault(nil)
        #expect(try key(keys) == nil)
    }

    @Test func aDamagedKeyKeepsItsMethod() throws {
        let keys = try TitleKeys(directory: directory)
        try keys.set(.encrypted(.cbcs), ofTitle: "film")
        let bytes = try bytesOfFile("\(directory)/film.key")
        try Data(bytes.dropLast()).write(to: URL(filePath: "\(directory)/film.key"))
        let again = try TitleKeys(directory: directory)
        #expect(throws: TitleKeyError.self) { try key(again) }
        #expect(again.method(ofTitle: "film") == .cbcs)
        try Data(bytes).write(to: URL(filePath: "\(directory)/film.key"))
        again.recover(title: "film")
        #expect(try key(again)?.method == .cbcs)
    }
}

/// Encryption of titles by default, as configured in `channels.json`.
struct EncryptionByDefaultTests {
    private let folder: TemporaryDirectory
    private var directory: String { "\(folder.path)/keys" }

    init() throws { folder = try TemporaryDirectory(label: "keys") }

    @Test func everyTitleHasAKeyOfItsOwnWithoutAFile() throws {
        let keys = try TitleKeys(directory: directory, defaultMethod: .aes128)
        let names = [("film", "r1"), ("film", "r2"), ("other", "r1"), ("film r1", "")]
        let all = try names.map { try #require(try keys.key(ofTitle: $0.0, revision: $0.1)) }
        #expect(Set(all.map(\.bytes)).count == names.count && all.allSatisfy { $0.bytes.count == 16 })
        #expect(keys.isEncrypted(title: "film"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["secret"])
        let again = try TitleKeys(directory: directory, defaultMethod: .aes128)
        #expect(try again.key(ofTitle: "film", revision: "r1") == all[0])
        let other = try TitleKeys(directory: "\(folder.path)/other", defaultMethod: .aes128)
        #expect(try other.key(ofTitle: "film", revision: "r1") != all[0], "it is the server's secret")
    }

    /// A title's own setting takes precedence over the default.
    @Test(arguments: [true, false])
    func choicesOutliveTheDefault(encryptsByDefault: Bool) throws {
        let keys = try TitleKeys(directory: directory, defaultMethod: encryptsByDefault ? nil : .aes128)
        try keys.set(.encrypted(.aes128), ofTitle: "yes")
        try keys.set(.clear, ofTitle: "no")
        try keys.set(.encrypted(.aes128), ofTitle: "both")
        try keys.set(.clear, ofTitle: "both")
        let again = try TitleKeys(directory: directory, defaultMethod: encryptsByDefault ? .aes128 : nil)
        for keys in [keys, again] {
            #expect(try keys.isEncrypted(title: "yes") && keys.key(ofTitle: "yes", revision: "r") != nil)
            #expect(try !keys.isEncrypted(title: "no") && keys.key(ofTitle: "no", revision: "r") == nil)
            #expect(try !keys.isEncrypted(title: "both") && keys.key(ofTitle: "both", revision: "r") == nil)
        }
        #expect(again.isEncrypted(title: "nobody") == encryptsByDefault)
        try again.set(.byDefault, ofTitle: "yes")
        #expect(again.isEncrypted(title: "yes") == encryptsByDefault)
    }

    /// The process was killed between writing the two files of a setting.
    @Test func aKeyWinsAgainstAChoiceOfNone() throws {
        let keys = try TitleKeys(directory: directory)
        try keys.set(.encrypted(.aes128), ofTitle: "film")
        try Data().write(to: URL(filePath: "\(directory)/film.clear"))
        #expect(try TitleKeys(directory: directory).isEncrypted(title: "film"))
    }
}

/// Titles with damaged keys are never served unencrypted.
struct DamagedKeyTests {
    private let folder: TemporaryDirectory
    private var directory: String { "\(folder.path)/keys" }

    init() throws { folder = try TemporaryDirectory(label: "keys") }

    @Test(arguments: [0, 15, 17])
    func aKeyFileOfAnotherLengthClosesItsTitleOnly(byteCount: Int) throws {
        let keys = try TitleKeys(directory: directory)
        for title in ["film", "other"] { try keys.set(.encrypted(.aes128), ofTitle: title) }
        let original = try Data(contentsOf: URL(filePath: "\(directory)/film.key"))
        try Data(repeating: 7, count: byteCount).write(to: URL(filePath: "\(directory)/film.key"))
        let again = try TitleKeys(directory: directory)
        #expect(throws: TitleKeyError.self) { try again.key(ofTitle: "film", revision: "r") }
        #expect(again.isEncrypted(title: "film"))
        let problem = try #require(again.problem(ofTitle: "film"))
        #expect(problem.contains("film.key") && problem.contains("\(byteCount) bytes instead of 16"))
        #expect(try again.key(ofTitle: "other", revision: "r") != nil && again.problem(ofTitle: "other") == nil)
        again.recover(title: "film")
        #expect(again.problem(ofTitle: "film") != nil, "nobody has restored it")
        try original.write(to: URL(filePath: "\(directory)/film.key"))
        again.recover(title: "film")
        #expect(try again.key(ofTitle: "film", revision: "r")?.bytes == Array(original))
    }

    @Test func aKeyFileThatIsNoFileClosesItsTitle() throws {
        _ = try TitleKeys(directory: directory)
        try FileManager.default.createDirectory(atPath: "\(directory)/film.key", withIntermediateDirectories: false)
        #expect(mkfifo("\(directory)/pipe.key", 0o600) == 0)
        let keys = try TitleKeys(directory: directory)
        for title in ["film", "pipe"] {
            #expect(throws: TitleKeyError.self) { try keys.key(ofTitle: title, revision: "r") }
        }
    }

    @Test func choosingAgainMakesANewKey() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try Data([1, 2, 3]).write(to: URL(filePath: "\(directory)/film.key"))
        let keys = try TitleKeys(directory: directory)
        #expect(throws: TitleKeyError.self) { try keys.key(ofTitle: "film", revision: "r") }
        try keys.set(.encrypted(.aes128), ofTitle: "film")
        let key = try #require(try keys.key(ofTitle: "film", revision: "r"))
        #expect(keys.problem(ofTitle: "film") == nil)
        #expect(try TitleKeys(directory: directory).key(ofTitle: "film", revision: "r") == key)
    }

    @Test func aDamagedSecretEndsTheStartAndIsNotReplaced() throws {
        _ = try TitleKeys(directory: directory)
        let damaged = Data(repeating: 1, count: 16)
        try damaged.write(to: URL(filePath: "\(directory)/secret"))
        let error = #expect(throws: TitleKeyError.self) { try TitleKeys(directory: directory) }
        let text = try #require(error?.description)
        #expect(text.contains("16 bytes instead of 32") && text.contains("backup") && text.contains("delete the file"))
        #expect(try Data(contentsOf: URL(filePath: "\(directory)/secret")) == damaged)
        try FileManager.default.removeItem(atPath: "\(directory)/secret")
        _ = try TitleKeys(directory: directory)
    }

    /// The folder is a file, so no title's setting is known and none may be served.
    @Test func aFolderThatCannotBeReadEndsTheStart() throws {
        try Data().write(to: URL(filePath: directory))
        #expect(throws: TitleKeyError.self) { try TitleKeys(directory: directory) }
    }
}
