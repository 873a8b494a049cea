import HTTPEndpoints
import HTTPTypes
import SiteTexts

extension SiteText {
    /// The reason of an error, for its page. The API's own sentences are English; other languages have
    /// one for each status.
    func explanation(of problem: ProblemDetails) -> String {
        if siteLanguage == .english, let detail = problem.detail { return detail }
        return ProblemText.of(siteLanguage).sentence(problem.status)
    }
}
