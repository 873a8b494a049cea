import APIContract
import APIDeclarations
import Accounts
import Community
import HTTPEndpoints
import Hummingbird

/// The calendars of competitions: `/api/v1/competitions.ics` and `/api/v1/competitions/{id}/calendar.ics`.
struct CalendarEndpoints: Sendable {
    let context: CommunityContext
    let publicAddress: PublicAddress?

    var endpoints: [Endpoint] {
        [
            Endpoint(CompetitionAPI.getCalendar, CompetitionEndpoints.reads) { request, _ in
                answer(try await context.community.calendar(), name: Product.name, request)
            },
            Endpoint(CompetitionAPI.getCompetitionCalendar, CompetitionEndpoints.reads) { request, caller in
                let competition = try await context.community.competition(try CompetitionEndpoints.identifier(caller))
                return answer([competition], name: competition.name, request)
            },
        ]
    }

    /// Programs ask again and again, and usually get 304.
    private func answer(_ competitions: [Competition], name: String, _ request: Request) -> Response {
        let text = CalendarDocument(
            name: name, events: competitions.map { .init($0, publicAddress: publicAddress) }
        ).text
        let content = Array(text.utf8)
        return .conditional(
            content, type: "text/calendar; charset=utf-8", tag: EntityTag(of: content), cacheControl: "no-cache",
            for: request)
    }
}
