import MediaCore
import NIOPosix
import TestSupport
import Testing

@testable import Accounts

struct PasswordTests {
    private let cheap = ScryptParameters(logRounds: 10, blockSize: 1, parallelism: 1)

    /// RFC 7914 §12, the third vector.
    @Test func theKeyIsThatOfTheSpecification() throws {
        let key = """
            cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofLVQylVYT8Pz2LUlwUkKpr55h6F3A1lHkDfzwF7RVdYhw
            """
        let hash = try #require(PasswordHash(parsing: "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$\(key)"))
        #expect(try hash.matches(try #require(Password("pleaseletmein"))))
        #expect(try !hash.matches(try #require(Password("pleaseletmeim"))))
    }

    @Test func hashesAreTextAndBack() throws {
        let password = try #require(Password("ñandú 🎬"))
        let hash = try PasswordHash(of: password, try #require(cheap))
        #expect(hash.text.hasPrefix("$scrypt$ln=10,r=1,p=1$"))
        let parsed = try #require(PasswordHash(parsing: hash.text))
        #expect(try parsed == hash && parsed.matches(password))
        #expect(try PasswordHash(of: password, try #require(cheap)) != hash)
    }

    @Test(
        arguments: [
            "", "password", "$scrypt$", "$argon2id$ln=10,r=1,p=1$U29kaXVtQ2g$U29kaXVtQ2g",
            // Costs that would use up the memory, or overflow.
            "$scrypt$ln=30,r=8,p=1$U29kaXVtQ2g$U29kaXVtQ2g",
            "$scrypt$ln=10,r=99999999999999999999,p=1$U29kaXVtQ2g$U29k",
            "$scrypt$ln=-1,r=8,p=1$U29kaXVtQ2g$U29kaXVtQ2g", "$scrypt$ln=10,r=1$U29kaXVtQ2g$U29kaXVtQ2g",
            "$scrypt$ln=10,r=1,p=1$$U29kaXVtQ2g", "$scrypt$ln=10,r=1,p=1$!$U29kaXVtQ2g",
        ]) func otherTextIsNoHash(_ text: String)
    { #expect(PasswordHash(parsing: text) == nil) }

    @Test func theSamePasswordIsTypedInManyWays() throws {
        // Composed and decomposed, and spaces of other keyboards (RFC 8265 §4.2).
        #expect(Password("jose\u{301} x")?.bytes == Password("jos\u{E9}\u{A0}x")?.bytes)
        #expect(Password("Ana")?.bytes != Password("ana")?.bytes)
        #expect(Password(" ana")?.bytes != Password("ana")?.bytes)
        for wrong in ["", "a\nb", "a\u{0}b", "a\u{7F}", String(repeating: "a", count: 1_025)] {
            #expect(Password(wrong) == nil)
        }
    }

    @Test(
        arguments: [
            "123456", "Password", "PASSWORD1", "password123!", "qwerty", "QWERTYUIOP", "asdfgh", "aaaaaaa", "ababab",
            "abcabcabc", "iloveyou", "987654321", "contraseña", "barcelona", "España2026", "letmein!", "zyxwvut",
        ]) func passwordsThatAreTriedFirstAreRefused(_ text: String)
    {
        #expect(throws: Refusal.self) { _ = try PasswordRules(minimumCharacterCount: 6).check(text, names: []) }
    }

    @Test func newPasswordsAreLongEnoughAndNotTheName() throws {
        let rules = PasswordRules(minimumCharacterCount: 6)
        for wrong in ["", "x7!kq", "AnaMaria7", "7airaManA", "ana@example.org", "a\nbcdefgh"] {
            let error = #expect(throws: Refusal.self) {
                _ = try rules.check(wrong, names: ["anamaria7", "ana@example.org"])
            }
            #expect(error?.code == .invalidPassword && error?.fields == ["password"])
            #expect(wrong.isEmpty || error?.reason.contains(wrong) == false)
        }
        for right in ["x7!kqz", "correct horse battery", "ñandú🎬🎬", String(repeating: "long enough ", count: 80)] {
            _ = try rules.check(right, names: ["anamaria7"])
        }
    }

    @Test func anOlderHashIsReplacedAfterTheRightPassword() async throws {
        let hasher = PasswordHasher(threads: .singleton, parameters: try #require(cheap))
        let password = try #require(Password("correct horse"))
        let older = try PasswordHash(
            of: password, try #require(ScryptParameters(logRounds: 10, blockSize: 2, parallelism: 1)))
        guard case .rightWithNewHash(let new) = try await hasher.verify(password, against: older) else {
            Issue.record("the hash is not replaced")
            return
        }
        #expect(new.parameters == hasher.parameters)
        #expect(try await hasher.verify(password, against: new) == .right)
        #expect(try await hasher.verify(Password("wrong horse"), against: older) == .wrong)
    }

    @Test func aHashOfTheStandardCostIsNotReplacedByACheaperOne() async throws {
        let hasher = PasswordHasher(threads: .singleton, parameters: try #require(cheap))
        let password = try #require(Password("correct horse"))
        let standard = try PasswordHash(of: password, .standard)
        #expect(try await hasher.verify(password, against: standard) == .right)
    }

    @Test func theSameWorkIsDoneWithoutAnAccount() async throws {
        let hasher = PasswordHasher(threads: .singleton, parameters: try #require(cheap))
        let hash = try await hasher.hash(try #require(Password("correct horse")))
        var counts: [Int] = []
        for (password, stored) in [("correct horse", hash), ("wrong", hash), ("wrong", nil), ("a\nb", nil)] {
            let before = hasher.computationCount
            _ = try await hasher.verify(Password(password), against: stored)
            counts.append(hasher.computationCount - before)
        }
        #expect(counts == [1, 1, 1, 1])
    }

    @Test func aFloodIsRefusedInsteadOfQueued() async throws {
        let threads = NIOThreadPool(numberOfThreads: 1)
        threads.start()
        let hasher = PasswordHasher(
            threads: threads, parameters: try #require(ScryptParameters(logRounds: 14, blockSize: 8, parallelism: 1)),
            maximumPendingCount: 4)
        let password = try #require(Password("correct horse"))
        let outcomes = await withTaskGroup(of: Refusal.Code?.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    do {
                        _ = try await hasher.hash(password)
                        return nil
                    } catch { return (error as? Refusal)?.code ?? .notFound }
                }
            }
            return await group.reduce(into: [Refusal.Code?]()) { $0.append($1) }
        }
        #expect(outcomes.contains(nil) && outcomes.contains(.busy))
        #expect(outcomes.allSatisfy { $0 == nil || $0 == .busy })
        // And then it works again.
        _ = try await hasher.hash(password)
        try await threads.shutdownGracefully()
    }

    @Test func theStandardCostIsBounded() {
        #expect(ScryptParameters.standard.memoryByteCount == 32 << 20)
    }
}
