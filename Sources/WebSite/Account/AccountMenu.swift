import Accounts
import HTTPEndpoints
import Workflows

/// The menu beside the pages of an account: those of the member, and those of the work that a role brings.
struct AccountMenu {
    private typealias Entry = (path: String, name: String)

    private let own: [Entry]
    private let work: [Entry]

    /// - Parameters:
    ///   - links: the links of the domains.
    ///   - text: the texts of the account pages.
    ///   - context: who the visitor is.
    init(_ links: [AccountPageLink], _ text: AccountText, _ context: GatewayRequestContext) {
        func entries(_ isWanted: (AccountPageLink) -> Bool) -> [Entry] {
            links.filter(isWanted).map { ($0.path, $0.text(text.language)) }
        }
        let sections = AccountSection.allCases.map { (path: $0.path, name: $0.name(text)) }
        own = sections.dropLast() + entries { $0.need == nil } + sections.suffix(1)
        var work = entries { $0.need.map { context.may($0.action, $0.resource) } ?? false }
        if context.may(.read, .accounts) { work.append((AccountPath.users, text.users)) }
        if context.may(.read, .auditLog) { work.append((AccountPath.auditLog, text.auditLog)) }
        self.work = work
    }

    /// The values of the template for a page of the menu, or an operator's page that belongs to the dashboard; `nil`
    /// for any other page.
    func values(path: String, _ text: AccountText, csrf: String?) -> [String: Any]? {
        let isOperators = path.hasPrefix("\(OperatorPath.dashboard)/")
        guard let path = [path, isOperators ? OperatorPath.dashboard : path].first(where: isInMenu) else { return nil }
        func values(_ entries: [Entry]) -> [[String: Any]] {
            entries.map { ["path": $0.path, "name": $0.name, "current": $0.path == path] }
        }
        var menu: [String: Any] = [
            "label": text.account, "own": values(own),
            "logOut": PageForm(action: "/cuenta/salir", button: text.logOut, isQuiet: true).values(csrf: csrf),
        ]
        if !work.isEmpty { menu["work"] = ["heading": text.administration, "entries": values(work)] as [String: Any] }
        return menu
    }

    private func isInMenu(_ path: String) -> Bool { (own + work).contains { $0.path == path } }
}
