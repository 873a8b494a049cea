import SiteTexts
import VideoClub

extension ClubText {
    /// How a member gets credits, as the operator says; `nil` if the operator has said nothing.
    func purchase(_ purchase: CreditPurchase, for username: String) -> PageSection? {
        let (text, address) = (purchase.text(language.rawValue), purchase.address(for: username))
        guard text != nil || address != nil else { return nil }
        var section = PageSection(heading: getCredits, text: text)
        if let address { section.button = (address, buyCredits) }
        return section
    }
}
