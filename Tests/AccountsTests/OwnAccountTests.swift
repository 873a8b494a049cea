import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Accounts

@Suite(.eachEngine) struct OwnAccountTests {
    private let newPassword = "another long one"

    @Test func aNewPasswordEndsAllOtherSessions() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana")
        let other = try await fixture.logIn("ana")
        #expect(
            await fixture.code {
                try await fixture.accounts.changePassword(to: newPassword, current: "wrong horse", by: caller)
            } == .wrongCredentials)
        #expect(
            await fixture.code { try await fixture.accounts.changePassword(to: newPassword, current: nil, by: caller) }
                == .passwordNeeded)
        #expect(
            await fixture.code {
                try await fixture.accounts.changePassword(
                    to: "123456", current: AccountsFixture.password, by: caller)
            } == .invalidPassword)
        try await fixture.accounts.changePassword(to: newPassword, current: AccountsFixture.password, by: caller)
        #expect(try await fixture.accounts.principal(session: other.secret.text, from: fixture.origin()) == nil)
        #expect(try await fixture.accounts.sessions(of: caller).count == 1)
        #expect(await fixture.code { _ = try await fixture.logIn("ana") } == .wrongCredentials)
        _ = try await fixture.logIn("ana", password: newPassword)
    }

    @Test func whoHasStolenASessionCannotGuessThePassword() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana")
        var codes: [Refusal.Code?] = []
        for _ in 0..<20 {
            codes.append(
                await fixture.code {
                    _ = try await fixture.accounts.deleteAccount(password: "wrong horse", by: caller)
                })
        }
        #expect(codes.prefix(5).allSatisfy { $0 == .wrongCredentials })
        #expect(codes.dropFirst(5).allSatisfy { $0 == .tooManyAttempts })
    }

    @Test func theProfileIsChangedFromTheRevisionThatWasRead() async throws {
        let fixture = try await AccountsFixture { $0.requiredFields = [.city] }
        let caller = try await fixture.caller("ana")
        let account = try await fixture.accounts.account(of: caller)
        let changed = try await fixture.accounts.changeProfile(
            Profile(name: "Ana", city: "Madrid"), from: [account.revision], by: caller)
        #expect(changed.profile == Profile(name: "Ana", city: "Madrid") && changed.revision == account.revision + 1)
        #expect(
            await fixture.code {
                _ = try await fixture.accounts.changeProfile(
                    Profile(city: "Sevilla"), from: [account.revision], by: caller)
            } == .changedMeanwhile)
        let error = await #expect(throws: Refusal.self) {
            _ = try await fixture.accounts.changeProfile(Profile(name: "Ana"), by: caller)
        }
        #expect(error?.code == .missingFields && error?.fields == ["city"])
    }

    @Test func aLanguageIsKnownWithEachCredential() async throws {
        let fixture = try await AccountsFixture()
        try await fixture.account("ana")
        let session = try await fixture.logIn("ana")
        let caller = Caller(session.principal, fixture.origin())
        let token = try await fixture.accounts.createToken(
            TokenRequest(.apiToken, name: "t", scope: .full), password: AccountsFixture.password, by: caller)
        func languages() async throws -> [String?] {
            let (accounts, origin) = (fixture.accounts, fixture.origin())
            return [
                try await accounts.principal(session: session.secret.text, from: origin)?.member?.language,
                try await accounts.principal(bearer: token.secret.text, from: origin)?.member?.language,
            ]
        }
        #expect(try await languages() == [nil, nil])
        _ = try await fixture.accounts.changeProfile(Profile(language: "es"), by: caller)
        #expect(try await languages() == ["es", "es"], "at once, although principals are remembered")
        for language in ["e s", "é", String(repeating: "x", count: 36)] {
            #expect(
                await fixture.code {
                    _ = try await fixture.accounts.changeProfile(Profile(language: language), by: caller)
                } == .invalidField, "\(language)")
        }
        _ = try await fixture.accounts.changeProfile(Profile(), by: caller)
        #expect(try await languages() == [nil, nil])
    }

    @Test func membersSeeOneAnothersPhotos() async throws {
        let fixture = try await AccountsFixture()
        let (ana, eva) = (try await fixture.caller("Ana"), try await fixture.caller("eva"))
        #expect(try await fixture.accounts.photo(by: ana) == nil)
        #expect(AccountPhoto(jpeg: Array("GIF89a".utf8)) == nil)
        #expect(
            AccountPhoto(jpeg: [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: AccountPhoto.maximumByteCount)) == nil)
        let photos = try (1...2).map { try #require(AccountPhoto(jpeg: [0xFF, 0xD8, 0xFF, UInt8($0)])) }
        for photo in photos {
            let account = try await fixture.accounts.changePhoto(to: photo, by: ana)
            #expect(account.photo == photo.version)
            for (name, caller) in [(nil, ana), ("ANA", ana), ("ana", eva)] as [(String?, Caller)] {
                #expect(try await fixture.accounts.photo(of: name, by: caller) == photo)
            }
        }
        #expect(photos[0].version != photos[1].version)
        for name in ["eva", "nobody", "a b", ""] {
            #expect(try await fixture.accounts.photo(of: name, by: eva) == nil)
        }
        let stranger = Caller(.anonymous, ana.origin)
        #expect(await fixture.code { _ = try await fixture.accounts.photo(of: "ana", by: stranger) } == .loginNeeded)
        #expect(try await fixture.accounts.changePhoto(to: nil, by: ana).photo == nil)
        #expect(try await fixture.accounts.photo(of: "ana", by: eva) == nil)
        // Nothing is left of a deleted account's photo.
        _ = try await fixture.accounts.changePhoto(to: photos[0], by: ana)
        try await fixture.accounts.deleteAccount(password: AccountsFixture.password, by: ana)
        let count = try await fixture.database.read { db -> Int64? in
            try db.firstValue("SELECT count(*) FROM accountPhoto")
        }
        #expect(count == 0)
    }

    @Test func anAddressChangesAtOnceWithoutMail() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana", email: "ana@example.org")
        try await fixture.account("eva", email: "eva@example.org")
        #expect(
            await fixture.code {
                _ = try await fixture.accounts.changeEmail(
                    to: "EVA@example.org", password: AccountsFixture.password, by: caller)
            } == .emailTaken)
        let link = try await fixture.accounts.changeEmail(
            to: "Ana2@example.org", password: AccountsFixture.password, by: caller)
        #expect(link == nil)
        let account = try await fixture.accounts.account(of: caller)
        #expect(account.email == "Ana2@example.org" && account.emailConfirmedAt == nil)
        _ = try await fixture.logIn("ana2@example.org")
        // The address in another case is not somebody else's.
        _ = try await fixture.accounts.changeEmail(
            to: "ANA2@example.org", password: AccountsFixture.password, by: caller)
    }

    @Test func anAddressChangesWhenTheLinkIsFollowed() async throws {
        let fixture = try await AccountsFixture { $0.confirmsEmail = true }
        let caller = try await fixture.caller("ana", email: "ana@example.org")
        let change = try await fixture.accounts.changeEmail(
            to: "new@example.org", password: AccountsFixture.password, by: caller)
        let link = try #require(change)
        #expect(try await fixture.accounts.account(of: caller).email == "ana@example.org")
        // Somebody else takes it meanwhile: the address is not shared.
        let eva = try await fixture.account("eva", email: "new@example.org")
        #expect(
            await fixture.code { _ = try await fixture.accounts.confirmEmail(link.secret.text, from: fixture.origin()) }
                == .emailTaken)
        try await fixture.accounts.removeAccount(eva.id, by: fixture.machine)
        let account = try await fixture.accounts.confirmEmail(link.secret.text, from: fixture.origin())
        #expect(account.email == "new@example.org" && account.emailConfirmedAt == fixture.clock.time)
        #expect(
            await fixture.code { _ = try await fixture.accounts.confirmEmail(link.secret.text, from: fixture.origin()) }
                == .linkNotValid)
    }

    @Test func aForgottenPasswordIsReplacedByMail() async throws {
        let fixture = try await AccountsFixture { $0.confirmsEmail = true }
        let caller = try await fixture.caller("ana", email: "ana@example.org")
        let request = try await fixture.requestPasswordReset(for: "ANA@example.org", from: fixture.origin())
        let link = try #require(request)
        #expect(link.link.email == "ana@example.org")
        #expect(
            try await fixture.requestPasswordReset(for: "nobody@example.org", from: fixture.origin()) == nil)
        // A password that is refused does not use the link up.
        #expect(
            await fixture.code {
                try await fixture.accounts.resetPassword(link.secret.text, to: "123456", from: fixture.origin())
            } == .invalidPassword)
        let codes = await withTaskGroup(of: Refusal.Code?.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    await fixture.code {
                        try await fixture.accounts.resetPassword(
                            link.secret.text, to: newPassword, from: fixture.origin())
                    }
                }
            }
            return await group.reduce(into: [Refusal.Code?]()) { $0.append($1) }
        }
        #expect(codes.count { $0 == nil } == 1 && codes.count { $0 == .linkNotValid } == 3)
        #expect(await fixture.code { _ = try await fixture.accounts.sessions(of: caller) } == nil)
        #expect(try await fixture.count("accountSession") == 0)
        _ = try await fixture.logIn("ana", password: newPassword)
        #expect(try await fixture.accounts.account(of: caller).emailConfirmedAt != nil)
    }

    @Test func linksExpireAndMailIsLimited() async throws {
        let fixture = try await AccountsFixture { $0.confirmsEmail = true }
        let account = try await fixture.account("ana", email: "ana@example.org")
        let request = try await fixture.requestPasswordReset(for: "ana@example.org", from: fixture.origin())
        let link = try #require(request)
        fixture.clock.advance(by: LinkPurpose.passwordReset.lifetime)
        #expect(
            await fixture.code {
                try await fixture.accounts.resetPassword(link.secret.text, to: newPassword, from: fixture.origin())
            } == .linkNotValid)
        for number in 0..<4 {
            let code = await fixture.code {
                _ = try await fixture.requestPasswordReset(for: "ana@example.org", from: fixture.origin("192.0.2.10"))
            }
            #expect(code == (number < 3 ? nil : .tooManyAttempts))
        }
        let elsewhere = await fixture.code {
            _ = try await fixture.requestPasswordReset(for: "ana@example.org", from: fixture.origin("192.0.2.11"))
        }
        #expect(elsewhere == nil, "somebody elsewhere has not used up the owner's mails")
        // An operator's link does not need mail, and other links are not accepted in its place.
        let handed = try await fixture.accounts.passwordResetLink(for: account.id, by: fixture.machine)
        let invitation = try await fixture.accounts.invite(role: .member, by: fixture.machine)
        #expect(
            await fixture.code {
                try await fixture.accounts.resetPassword(
                    invitation.secret.text, to: newPassword, from: fixture.origin())
            } == .linkNotValid)
        try await fixture.accounts.resetPassword(handed.secret.text, to: newPassword, from: fixture.origin())
        _ = try await fixture.logIn("ana", password: newPassword)
        #expect(try await fixture.count("accountLink") == 1)
        fixture.clock.advance(by: LinkPurpose.invitation.lifetime)
        try await fixture.accounts.maintain()
        #expect(try await fixture.count("accountLink") == 0)
    }

    /// Anybody who knows the address may ask for a mail.
    @Test func aStrangerEndsNoLinkOfTheOwner() async throws {
        let fixture = try await AccountsFixture { $0.confirmsEmail = true }
        let account = try await fixture.account("ana", email: "ana@example.org")
        let handed = try await fixture.accounts.passwordResetLink(for: account.id, by: fixture.machine)
        var mailed: [NewLink] = []
        for number in 1...4 {
            fixture.clock.advance(by: .seconds(1))
            let request = try await fixture.requestPasswordReset(
                for: "ana@example.org", from: fixture.origin("192.0.2.\(number)"))
            mailed.append(try #require(request))
        }
        func code(_ link: NewLink) async -> Refusal.Code? {
            await fixture.code {
                // The password is refused, which leaves a link that is valid as it is.
                try await fixture.accounts.resetPassword(
                    link.secret.text, to: "123456", from: fixture.origin("192.0.2.\(mailed.count + 20)"))
            }
        }
        #expect(await code(mailed[0]) == .linkNotValid, "the last three work")
        for link in mailed[1...] + [handed] { #expect(await code(link) == .invalidPassword) }
        // The strangers have many addresses; mail to one person is limited all the same.
        var sent = 4
        for number in 5...30 {
            let refused = await fixture.code {
                _ = try await fixture.requestPasswordReset(
                    for: "ana@example.org", from: fixture.origin("192.0.2.\(number)"))
            }
            if refused == nil { sent += 1 }
        }
        #expect(sent == 12)
        try await fixture.accounts.resetPassword(handed.secret.text, to: newPassword, from: fixture.origin())
        #expect(try await fixture.count("accountLink") == 0)
    }

    @Test func withoutMailNobodyIsPromisedAny() async throws {
        let fixture = try await AccountsFixture()
        try await fixture.account("ana", email: "ana@example.org")
        #expect(
            await fixture.code {
                _ = try await fixture.requestPasswordReset(for: "ana@example.org", from: fixture.origin())
            } == .notAvailable)
    }

    @Test func guessingLinksIsLimited() async throws {
        let fixture = try await AccountsFixture()
        var codes: [Refusal.Code?] = []
        for _ in 0..<12 {
            codes.append(
                await fixture.code {
                    _ = try await fixture.accounts.confirmEmail(Secret(.link).text, from: fixture.origin())
                })
        }
        #expect(codes.prefix(10).allSatisfy { $0 == .linkNotValid })
        #expect(codes.suffix(2).allSatisfy { $0 == .tooManyAttempts })
    }

    @Test func theLastAdministratorStays() async throws {
        let fixture = try await AccountsFixture()
        let (ana, eva) = (
            try await fixture.caller("ana", .administrator), try await fixture.caller("eva", .administrator)
        )
        let (anaID, evaID) = (try #require(ana.principal.member?.id), try #require(eva.principal.member?.id))
        // Each makes the other a member at the same time.
        let codes = await withTaskGroup(of: Refusal.Code?.self) { group in
            for (caller, other) in [(ana, evaID), (eva, anaID)] {
                group.addTask {
                    await fixture.code { _ = try await fixture.accounts.setRole(.member, of: other, by: caller) }
                }
            }
            return await group.reduce(into: [Refusal.Code?]()) { $0.append($1) }
        }
        #expect(codes.contains(nil) && codes.contains(.lastAdministrator))
        let left = try await fixture.accounts.accounts(AccountFilter(role: .administrator))
        let last = try #require(left.items.first)
        #expect(left.items.count == 1)
        #expect(
            await fixture.code { _ = try await fixture.accounts.suspend(last.id, by: fixture.machine) }
                == .lastAdministrator)
        #expect(
            await fixture.code { _ = try await fixture.accounts.removeAccount(last.id, by: fixture.machine) }
                == .lastAdministrator)
    }

    @Test func nothingPersonalRemainsOfADeletedAccount() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana", email: "ana@example.org")
        let user = try #require(caller.principal.member?.id)
        _ = try await fixture.accounts.changeProfile(
            Profile(name: "Ana Belén", mobile: "600123456", city: "Cuenca"), by: caller)
        _ = try await fixture.accounts.createToken(
            TokenRequest(.apiToken, name: "t", scope: .full), password: AccountsFixture.password, by: caller)
        let setUp = try await fixture.accounts.beginSecondFactor(password: AccountsFixture.password, by: caller)
        _ = try await fixture.accounts.confirmSecondFactor(
            setUp.code.code(TimeBasedCode.step(at: fixture.clock.time)), by: caller)
        try await fixture.accounts.grant(
            try ActionSet(parsing: "publish"), on: "canalA", to: user, by: fixture.machine)
        _ = try await fixture.accounts.passwordResetLink(for: user, by: fixture.machine)
        try await fixture.accounts.deleteAccount(password: AccountsFixture.password, by: caller)
        for table in AccountsSchema.schema.tables where table.name != "auditEntry" {
            #expect(try await fixture.count(table.name) == 0, "\(table.name)")
        }
        let entries = try await fixture.accounts.auditLog(AuditFilter(subject: user)).items
        #expect(entries.count >= 6 && entries.first?.event == AuditEvent.accountDeleted.rawValue)
        #expect(entries.allSatisfy { $0.before == nil && $0.after == nil })
        // The addresses that remain are those of others.
        #expect(entries.allSatisfy { $0.address == nil || $0.actorName == "operator token" })
        #expect(entries.contains { $0.address == nil } && entries.contains { $0.address != nil })
        // The name is free again, and belongs to somebody else.
        let again = try await fixture.account("ana", email: "ana@example.org")
        #expect(again.id != user)
    }

    /// Such as of somebody who has always come through a provider.
    @Test func anAccountWithoutPasswordNeedsARecentLogIn() async throws {
        let fixture = try await AccountsFixture()
        let caller = try await fixture.caller("ana")
        try await fixture.database.write { db in try db.execute("UPDATE account SET passwordHash = NULL", []) }
        #expect(try await !fixture.accounts.account(of: caller).hasPassword)
        for password in ["", AccountsFixture.password] {
            #expect(
                await fixture.code { _ = try await fixture.logIn("ana", password: password) } == .wrongCredentials)
        }
        fixture.clock.advance(by: .seconds(901))
        #expect(
            await fixture.code { try await fixture.accounts.changePassword(to: newPassword, current: nil, by: caller) }
                == .loginNeeded)
        fixture.clock.advance(by: .seconds(-2))
        try await fixture.accounts.changePassword(to: newPassword, current: nil, by: caller)
        _ = try await fixture.logIn("ana", password: newPassword)
    }
}
