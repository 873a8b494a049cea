/// The paths of the pages on which titles are rented.
enum ClubPath {
    static let titles = "/videoclub/titulos/"
    static let myTitles = "/cuenta/alquileres"
    static let myCredits = "/cuenta/creditos"
    /// The actions of forms on a title's page.
    static let rent = "alquilar"
    static let activate = "empezar"
    static let vote = "votar"
    /// The parameter with which the page after a form names its action.
    static let noticeParameter = "hecho"

    static func title(_ id: String) -> String { titles + SitePage.queryComponent(id) }
    static func action(_ action: String, _ id: String) -> String { "\(title(id))/\(action)" }
    static func terms(_ id: String) -> String { "\(EditingPath.title(id))/precio" }
    static func watch(_ id: String) -> String { "/videoclub?title=\(SitePage.queryComponent(id))" }
}
