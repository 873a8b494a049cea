import Accounts
import GatewayTestSupport
import HTTPEndpoints

extension AccountPagesTests.Browser {
    /// A browser in which the owner of a new account has logged in.
    static func loggedIn(
        _ name: String, _ role: Role = .member, at table: EndpointTable, of fixture: TestAccounts,
        language: String = "en"
    ) async throws -> AccountPagesTests.Browser {
        _ = try await fixture.accounts.createAccount(
            Registration(username: name, password: TestAccounts.password), role: role, by: TestAccounts.machine)
        let browser = AccountPagesTests.Browser(table, language: language)
        try await browser.open("/cuenta/entrar")
        try await browser.submit("/cuenta/entrar", ["username": name, "password": TestAccounts.password])
        return browser
    }
}
