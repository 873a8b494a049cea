import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import JSONDocument

/// How a command shows the credits of a member.
struct CreditOutput: ParsableArguments {
    @Option(help: "Number of movements.")
    var limit = 20

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    @Flag(help: "Print all movements as comma-separated values.")
    var csv = false

    /// - Parameters:
    ///   - balance: the credits.
    ///   - expiring: those that end unless they are spent.
    ///   - movements: the newest movements.
    ///   - user: whose they are; `nil` for the person who asks.
    func print(
        _ balance: Int?, _ expiring: ExpiringCredits?, _ movements: [APIObject<CreditMovementFields>], of user: String?
    ) {
        let expiring = expiring?.content ?? []
        guard !json else {
            let credits = UserCreditsFields.fields
            let members: [JSONText.Field] = [
                credits.balance(balance ?? 0), credits.expiring(ExpiringCredits(expiring)), credits.items(movements),
            ]
            return Swift.print(JSONText.object(members).rendered)
        }
        let ends = expiring.map { "\($0.amount ?? 0) of them until \($0.expiresAt?.text ?? "-")\n" }
        let owner = user.map { "\($0): " } ?? ""
        let table = ObjectTable.text(movements, nothing: "no movements")
        Swift.print("\(owner)\(balance ?? 0) credits\n\(ends.joined())\(table)")
    }
}
