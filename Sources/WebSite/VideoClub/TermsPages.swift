import Accounts
import Catalogue
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import SiteTexts
import VideoClub
import Workflows

/// The form with which operators set on which terms a title is rented.
struct TermsPages: Sendable {
    let pages: AccountPages
    let content: any TitleContent
    let club: VideoClub

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "\(EditingPath.titles){id}/precio", .title(.manage)) { request, context in
                let text = ClubText.preferred(request.headers[.acceptLanguage])
                let isSaved = PageRequest.value(of: "hecho", in: request) != nil
                return try await page(notice: isSaved ? text.saved : nil, request, context)
            },
            Endpoint(.post, "\(EditingPath.titles){id}/precio", .title(.manage), handler: change),
        ]
    }

    /// - Parameter sent: the values of the form that led here; `nil` for those that there are.
    private func page(
        sent: FormFields? = nil, error: String? = nil, notice: String? = nil, _ request: Request,
        _ context: GatewayRequestContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let id = try context.parameters.require("id")
        guard let title = try await content.title(id: id) else { throw ProblemDetails(.notFound) }
        let terms = try await club.terms(of: id)
        let text = ClubText.preferred(request.headers[.acceptLanguage])
        func field(_ name: String, _ label: String, _ value: String, type: String = "text") -> PageForm.Field {
            .init(name: name, label: label, type: type, value: sent?[name] ?? value)
        }
        var asks = field(
            "asksForFreeRental", text.asksForFreeRental, terms.asksForFreeRental ? "1" : "0", type: "select")
        asks.options = [("0", text.no), ("1", text.yes)]
        var featured = field("featured", text.featured, terms.isFeatured ? "1" : "0", type: "select")
        featured.options = asks.options
        let form = PageForm(
            action: ClubPath.terms(id),
            fields: [
                .version(String(terms.revision)),
                field("price", "\(text.price) (\(text.unit))", "\(terms.price)"),
                field("regularPrice", text.regularPrice, terms.regularPrice.map(String.init) ?? ""), featured, asks,
                field("minutesToStart", text.minutesToStart, Self.minutes(terms.timeToStart)),
                field("minutesToPlay", text.minutesToPlay, Self.minutes(terms.timeToPlay)),
                field("trailer", text.trailerField, terms.trailer ?? ""),
            ], button: text.save)
        let section = PageSection(
            heading: title.title, text: text.termsText, forms: [form], links: [(ClubPath.title(id), text.back)])
        return try pages.answer(
            text.terms, [section], error: error, notice: notice, request, context, status: status)
    }

    private static func minutes(_ time: Duration?) -> String { time.map { "\(Int64($0.seconds) / 60)" } ?? "" }

    /// The time of a field; `nil` for an empty one.
    ///
    /// - Throws: `Refusal` with `invalidField`.
    private static func time(_ text: String?) throws(Refusal) -> Duration? {
        guard let text, !text.isEmpty else { return nil }
        guard let minutes = Int32(text) else { throw Refusal(.invalidField, "a time is a number of minutes") }
        return .seconds(Int64(minutes) * 60)
    }

    private func change(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let id = try context.parameters.require("id")
        let text = ClubText.preferred(request.headers[.acceptLanguage])
        let sent = try await FormFields(request)
        do {
            guard let price = Int64(sent.text("price") ?? "") else {
                throw Refusal(.invalidField, "a price is a number of credits", field: "price")
            }
            let regular = try sent.text("regularPrice").flatMap { $0.isEmpty ? nil : $0 }.map { text in
                guard let price = Int64(text) else {
                    throw Refusal(.invalidField, "a price is a number of credits", field: "regularPrice")
                }
                return price
            }
            let isFeatured = sent["featured"] == "1"
            let (start, play) = (try Self.time(sent.text("minutesToStart")), try Self.time(sent.text("minutesToPlay")))
            let (asks, trailer) = (sent["asksForFreeRental"] == "1", sent.text("trailer"))
            _ = try await club.setTerms(
                of: id, from: sent.revisions ?? [], by: context.caller
            ) { terms in
                (terms.price, terms.asksForFreeRental) = (price, asks)
                (terms.regularPrice, terms.isFeatured) = (regular, isFeatured)
                (terms.timeToStart, terms.timeToPlay, terms.trailer) = (start, play, trailer)
            }
            return pages.redirect("\(ClubPath.terms(id))?hecho=1")
        } catch let error as Refusal where error.code == .changedMeanwhile {
            return try await page(
                sent: sent, error: text.changedMeanwhile, request, context, status: .preconditionFailed)
        } catch let error as Refusal where error.code == .invalidField {
            return try await page(sent: sent, error: text.wrong, request, context, status: .unprocessableContent)
        }
    }
}
