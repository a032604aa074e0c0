/** Style sheets are written beside the script by the bundler; importing one yields nothing. */
declare module '*.css' {}
