import APIClient
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
    ///   - balance: the credits, in the API's representation.
    ///   - movements: the newest movements.
    ///   - user: whose they are; `nil` for the person who asks.
    func print(_ balance: JSONNode, _ movements: [JSONNode], of user: String?) {
        guard !json else {
            let fields: [JSONText.Field] = [
                ("balance", .raw(balance.text("balance"))),
                ("expiring", balance["expiring"].map(JSONText.init) ?? .array([])),
                ("items", .array(movements.map(JSONText.init))),
            ]
            return Swift.print(JSONText.object(fields).rendered)
        }
        let ends = (balance["expiring"]?.elements ?? []).map {
            "\($0.text("amount")) of them until \($0.text("expiresAt"))\n"
        }
        let owner = user.map { "\($0): " } ?? ""
        Swift.print("\(owner)\(balance.text("balance")) credits\n\(ends.joined())\(ClubTables.movements(movements))")
    }
}
