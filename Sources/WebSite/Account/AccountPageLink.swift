import Accounts
import SiteTexts

/// A link on the page of a member's account to the pages of a domain.
package struct AccountPageLink: Sendable {
    let path: String
    /// The permission that the page needs; `nil` for a page of every member.
    let need: (action: Action, resource: Resource)?
    let text: @Sendable (SiteLanguage) -> String
}
