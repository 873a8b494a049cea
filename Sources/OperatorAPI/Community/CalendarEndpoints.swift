import APIContract
import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import NIOCore

/// The calendars of competitions: `/api/v1/competitions.ics` and `/api/v1/competitions/{id}/calendar.ics`.
struct CalendarEndpoints: Sendable {
    let context: CommunityContext
    let publicAddress: PublicAddress?

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "\(CompetitionEndpoints.list).ics", CompetitionEndpoints.reads) { request, _ in
                answer(try await context.required().calendar(), name: Product.name, request)
            },
            Endpoint(.get, "\(CompetitionEndpoints.item)/calendar.ics", CompetitionEndpoints.reads) { request, caller in
                let competition = try await context.required().competition(try CompetitionEndpoints.identifier(caller))
                return answer([competition], name: competition.name, request)
            },
        ]
    }

    /// Programs ask again and again, and usually get 304.
    private func answer(_ competitions: [Competition], name: String, _ request: Request) -> Response {
        let text = CalendarDocument(
            name: name, events: competitions.map { .init($0, publicAddress: publicAddress) }
        ).text
        let tag = EntityTag(of: Array(text.utf8)).field
        var fields: HTTPFields = [.eTag: tag, .cacheControl: "no-cache"]
        guard request.headers[.ifNoneMatch] != tag else { return Response(status: .notModified, headers: fields) }
        fields[.contentType] = "text/calendar; charset=utf-8"
        return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
