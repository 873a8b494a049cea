/// A connection was refused because of a limit.
struct HTTPConnectionRefused: Error {
    var refusal: HTTPConnectionPlaces.Refusal
}
