import MediaCore
import TestSupport
import Testing

@testable import Accounts

struct ValuesTests {
    @Test(arguments: ["ana", "José", "jose\u{301}", "a.b-c_d", "8bit", "Łukasz", "straße", "x1", "ñandú"])
    func usernamesOfLatinLettersAreAccepted(_ text: String) throws { _ = try Username(text) }

    @Test(
        arguments: [
            "", "a", String(repeating: "a", count: 33), "a b", "a@b", "a/b", ".ana", "ana.", "12345", "me", "ANTENA",
            // Letters of other scripts that look like Latin ones, and forms of Latin letters.
            "\u{430}na", "\u{3B1}na", "\u{FF41}na", "\u{1D41A}na", "an\u{131}", "\u{17F}a", "a\u{200B}na",
            "ana\u{202E}", "a\nb", "a\u{0}b", "ana\u{1F600}", "\u{661}\u{662}a",
            String(repeating: "e\u{301}\u{302}\u{303}", count: 1_000),
        ]) func otherUsernamesAreRefused(_ text: String)
    {
        #expect(throws: Refusal.self) { _ = try Username(text) }
    }

    @Test func usernamesAreComparedWithoutCaseAndComposed() throws {
        #expect(try Username("JOSÉ").key == Username("jose\u{301}").key)
        #expect(try Username("jose").key != Username("josé").key)
    }

    @Test(
        arguments: [
            "ana@example.org", " ana@example.org ", "a.b+c@mail.example.co.uk", "ANA@EXAMPLE.ORG", "x'y@1and1.com",
            "\(String(repeating: "a", count: 64))@example.org",
        ]) func addressesAreAccepted(_ text: String) throws
    { _ = try EmailAddress(text) }

    @Test(
        arguments: [
            "", "ana", "@example.org", "ana@", "ana@localhost", "ana@@example.org", "a b@example.org",
            "ana@example..org", "ana@-example.org", "ana@example.123", ".ana@example.org", "ana.@example.org",
            "a..b@example.org", "ana@example.org\nBcc: all@example.org", "\"a b\"@example.org", "ana@[192.0.2.1]",
            "ana@exämple.org", "ana\u{0}@example.org", "<ana@example.org>", "ana@example.org,eva@example.org",
            "\(String(repeating: "a", count: 65))@example.org", "a@\(String(repeating: "b.", count: 150))org",
        ]) func otherAddressesAreRefused(_ text: String)
    {
        #expect(throws: Refusal.self) { _ = try EmailAddress(text) }
    }

    @Test func profilesAreTrimmedAndChecked() throws {
        let profile = try Profile(name: " Ana ", mobile: "+34 600-123-456", city: "  ", country: "España").checked()
        #expect(profile == Profile(name: "Ana", mobile: "+34 600-123-456", country: "España"))
        let wrong = [
            Profile(name: "a\u{7}b"), Profile(name: "\u{202E}ana"), Profile(city: String(repeating: "x", count: 101)),
            Profile(mobile: "12"), Profile(mobile: "call me"), Profile(mobile: "1234567890123456"),
            Profile(mobile: "6001234+56"), Profile(country: "a\nb"),
        ]
        for profile in wrong { #expect(throws: Refusal.self) { _ = try profile.checked() } }
    }

    @Test(arguments: Secret.Kind.allCases) func secretsAreOfOneKindAndHidden(_ kind: Secret.Kind) throws {
        let secret = Secret(kind)
        #expect(Secret(kind, parsing: secret.text) == secret && Secret(kind) != secret)
        for other in Secret.Kind.allCases where other != kind {
            #expect(Secret(other, parsing: secret.text) == nil)
        }
        var dumped = ""
        dump([secret], to: &dumped)
        for shown in ["\(secret)", String(reflecting: [secret]), dumped] {
            #expect(!shown.contains(secret.text) && !shown.contains(secret.text.suffix(10)))
        }
        for wrong in [
            "", secret.text + "A", String(secret.text.dropLast()), secret.text.replacing("-", with: "!") + "!",
        ] {
            #expect(Secret(kind, parsing: wrong) == nil)
        }
    }

    @Test func typedSecretsMayBeWrittenInOtherWays() {
        let secret = Secret(.appPassword)
        #expect(Secret(.appPassword, parsing: secret.text.uppercased().replacing("-", with: " ")) == secret)
        #expect(Secret(.appPassword, parsing: secret.text.replacing("-", with: "")) == secret)
        let code = UserCode()
        #expect(UserCode(parsing: "\(code)".lowercased().replacing("-", with: " ")) == code)
        for wrong in ["", "AAAA-AAAA", "BCDF-GHJ", "BCDF-GHJK-L", String(repeating: "B", count: 1_000)] {
            #expect(UserCode(parsing: wrong) == nil)
        }
    }

    @Test func passwordsAndHashesAreHidden() throws {
        let password = try #require(Password("correct horse"))
        let parameters = try #require(AccountsFixture.parameters)
        let hash = try PasswordHash(of: password, parameters)
        var dumped = ""
        dump(password, to: &dumped)
        for shown in ["\(password)", dumped, "\(hash)"] {
            #expect(!shown.contains("horse") && !shown.contains("$"))
        }
    }

    @Test func setsOfActionsAreTextAndBack() throws {
        #expect(try ActionSet(parsing: "publish,read").description == "read,publish")
        #expect(try ActionSet(parsing: ActionSet.all.description) == .all)
        #expect(try ActionSet(parsing: "").isEmpty)
        #expect(throws: Refusal.self) { _ = try ActionSet(parsing: "read,everything") }
    }

    @Test func csrfTokensBelongToOneSession() {
        let (secret, other) = (Secret(.session), Secret(.session))
        let token = CSRFToken.text(for: secret)
        #expect(CSRFToken.isValid(token, for: secret) && !CSRFToken.isValid(token, for: other))
        for wrong in ["", "A", token + "A", String(token.dropLast()), String(token.reversed())] {
            #expect(!CSRFToken.isValid(wrong, for: secret))
        }
    }
}
