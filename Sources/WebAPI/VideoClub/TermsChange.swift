import APIContract
import APIDeclarations
import VideoClub

/// A change of the terms of a title: `nil` for what stays as it is, and `nil` inside for what is taken back.
struct TermsChange: Sendable {
    var price: Int64?
    var regularPrice: Int64??
    var isFeatured: Bool?
    var asksForFreeRental: Bool?
    var timeToStart: Duration??
    var timeToPlay: Duration??
    var trailer: String??

    /// The names of the fields of the API.
    static let fields = TermsChangeFields.names

    func apply(to terms: inout TitleTerms) {
        if let price { terms.price = price }
        if let regularPrice { terms.regularPrice = regularPrice }
        if let isFeatured { terms.isFeatured = isFeatured }
        if let asksForFreeRental { terms.asksForFreeRental = asksForFreeRental }
        if let timeToStart { terms.timeToStart = timeToStart }
        if let timeToPlay { terms.timeToPlay = timeToPlay }
        if let trailer { terms.trailer = trailer }
    }

    /// A time of whole minutes.
    ///
    /// - Returns: `nil` if there are too many.
    static func time(minutes: Int) -> Duration? {
        let (seconds, overflow) = Int64(minutes).multipliedReportingOverflow(by: 60)
        return overflow ? nil : .seconds(seconds)
    }
}
