import HTTPEndpoints
import HTTPTypes
import SiteTexts

extension SiteText {
    /// What went wrong, for the page of an error. The API's own sentences are English; other languages have
    /// one for each status.
    func explanation(of problem: ProblemDetails) -> String {
        if siteLanguage == .english, let detail = problem.detail { return detail }
        return ProblemText.of(siteLanguage).sentence(problem.status)
    }
}
