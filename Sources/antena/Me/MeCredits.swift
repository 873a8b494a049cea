import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import Foundation

struct MeCredits: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credits", abstract: "Show your credits and their movements.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var output: CreditOutput

    func run() async throws {
        guard !output.csv else {
            return try await options.withClient { client in
                try await client.ownCreditHistory { try FileHandle.standardOutput.write(contentsOf: Data($0)) }
            }
        }
        let (balance, movements) = try await options.withClient { client in
            (try await client.ownBalance(), try await client.ownMovements(limit: output.limit))
        }
        output.print(balance.balance, balance.expiring, movements, of: nil)
    }
}
