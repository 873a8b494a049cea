import Accounts
import Crypto
import Database
import Foundation
import MediaAccess
import MediaCore
import NIOPosix

/// Measures what a request costs before anything is answered: the decision who may, the check of a signature in a path,
/// and the hash of a password.
///
///     access-benchmark FOLDER
///
/// Prints one JSON object; times are nanoseconds of processor time of one call. Benchmarks/access.py starts it.
@main struct AccessBenchmark {
    private static let decisionCount = 5_000_000
    private static let signatureCount = 200_000
    private static let hashCount = 5

    static func main() async throws {
        guard CommandLine.arguments.count == 2 else {
            FileHandle.standardError.write(Data("usage: access-benchmark FOLDER\n".utf8))
            exit(64)
        }
        let database = try await DatabaseAddress(parsing: "sqlite:\(CommandLine.arguments[1])/access.sqlite").open()
        let hasher = PasswordHasher(threads: .singleton)
        let accounts = try await Accounts.open(
            database, program: "benchmark", hasher: hasher, settings: AccountsSettings(),
            sealingKey: SymmetricKey(size: .bits256))
        let links = try await MediaLinks.open(database, program: "benchmark", key: SymmetricKey(size: .bits256))
        var results: [String: Double] = [:]

        let (open, members) = (Resource.title(), Resource.title(.members))
        let member = Principal.session(
            Member(id: UserID(), username: "ana", role: .member), OpaqueID())
        for (name, principal, resource) in [
            ("may: a stranger watches a public title", Principal.anonymous, open),
            ("may: a member watches a title for members", member, members),
            ("may: a stranger is refused a title for members", .anonymous, members),
        ] {
            var allowed = 0
            results[name] = nanoseconds(decisionCount) { _ in
                if accounts.may(principal, .read, resource).isAllowed { allowed += 1 }
            }
            precondition(allowed == 0 || allowed == decisionCount + decisionCount / 10, "a decision has changed")
        }
        let folder = "/vod/film"
        let signature = links.sign(folder, until: links.now + .seconds(86_400)).text
        // Revocations are read from the database at first.
        _ = await links.decide(signature, for: folder)
        var valid = 0
        results["a valid signature"] = nanoseconds(signatureCount) { _ in
            if case .valid = links.decideNow(signature, for: folder) { valid += 1 }
        }
        results["share of signatures that were decided at once"] =
            Double(valid) / Double(signatureCount + signatureCount / 10)
        guard let password = try? PasswordRules(minimumCharacterCount: 6).check("correct horse battery", names: [])
        else { exit(70) }
        let before = processorSeconds()
        for _ in 0..<hashCount { _ = try await hasher.hash(password) }
        results["hash of a password"] = (processorSeconds() - before) / Double(hashCount) * 1e9
        await database.close()
        print(String(decoding: try JSONSerialization.data(withJSONObject: results), as: UTF8.self))
    }

    /// Processor time of one call, after a warm-up of a tenth of the calls.
    private static func nanoseconds(_ count: Int, _ body: (Int) -> Void) -> Double {
        for index in 0..<count / 10 { body(index) }
        let before = processorSeconds()
        for index in 0..<count { body(index) }
        return (processorSeconds() - before) / Double(count) * 1e9
    }

    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
