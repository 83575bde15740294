import{a as e,n as t,r as n,t as r}from"./client-libraries-df66e8dc.js";import{i}from"./client-Link-7ee8c216.js";import{E as a,S as o,a as s,b as c,d as l,y as u}from"./client-57fbb3e3.js";import{t as d}from"./client-PeopleList-3f1bfb8a.js";import{t as f}from"./client-pages-eee6df26.js";n();var p=(function(){var e={defaultValue:null,kind:`LocalArgument`,name:`first`},t={defaultValue:null,kind:`LocalArgument`,name:`query`},n=[{kind:`Variable`,name:`first`,variableName:`first`},{kind:`Variable`,name:`query`,variableName:`query`}];return{fragment:{argumentDefinitions:[e,t],kind:`Fragment`,metadata:null,name:`SearchPageQuery`,selections:[{args:n,kind:`FragmentSpread`,name:`SearchPage_query`}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[t,e],kind:`Operation`,name:`SearchPageQuery`,selections:[{alias:null,args:n,concreteType:`UserConnection`,kind:`LinkedField`,name:`users`,plural:!1,selections:[{alias:null,args:null,concreteType:`UserEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`node`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`unavailable`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:n,filters:[`query`],handle:`connection`,key:`SearchPage_users`,kind:`LinkedHandle`,name:`users`}]},params:{cacheID:`64f7b34d603ae7e3f166dd6c24a298ab`,id:null,metadata:{},name:`SearchPageQuery`,operationKind:`query`,text:`query SearchPageQuery(
  $query: String!
  $first: Int!
) {
  ...SearchPage_query_ReqLQ
}

fragment FollowButton_user on User {
  handle
  viewerFollows
  ...useRelations_user
}

fragment PersonRow_user on User {
  databaseId
  unavailable
  handle
  name
  counters {
    followers
  }
  ...FollowButton_user
}

fragment SearchPage_query_ReqLQ on Query {
  users(query: $query, first: $first) {
    edges {
      node {
        id
        ...PersonRow_user
        __typename
      }
      cursor
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})(),m=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`query`}],t=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`},{kind:`Variable`,name:`query`,variableName:`query`}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`SearchPagePageQuery`,selections:[{args:t,kind:`FragmentSpread`,name:`SearchPage_query`}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`SearchPagePageQuery`,selections:[{alias:null,args:t,concreteType:`UserConnection`,kind:`LinkedField`,name:`users`,plural:!1,selections:[{alias:null,args:null,concreteType:`UserEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`node`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`unavailable`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:t,filters:[`query`],handle:`connection`,key:`SearchPage_users`,kind:`LinkedHandle`,name:`users`}]},params:{cacheID:`f8cd02199ab02d9f49118d0c38a42f92`,id:null,metadata:{},name:`SearchPagePageQuery`,operationKind:`query`,text:`query SearchPagePageQuery(
  $after: String
  $first: Int
  $query: String!
) {
  ...SearchPage_query_1Tyy4D
}

fragment FollowButton_user on User {
  handle
  viewerFollows
  ...useRelations_user
}

fragment PersonRow_user on User {
  databaseId
  unavailable
  handle
  name
  counters {
    followers
  }
  ...FollowButton_user
}

fragment SearchPage_query_1Tyy4D on Query {
  users(query: $query, first: $first, after: $after) {
    edges {
      node {
        id
        ...PersonRow_user
        __typename
      }
      cursor
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})(),h=(function(){var e=[`users`];return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`query`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[],operation:m}},name:`SearchPage_query`,selections:[{alias:`users`,args:[{kind:`Variable`,name:`query`,variableName:`query`}],concreteType:`UserConnection`,kind:`LinkedField`,name:`__SearchPage_users_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`UserEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`node`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`PersonRow_user`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null}],type:`Query`,abstractKey:null}})(),g=e(),_=t(),v=r(),y=250,b=100;function x({query:e}){let[t,n]=(0,g.useState)(e),r=(0,g.useRef)(null);return(0,g.useEffect)(()=>n(e),[e]),(0,g.useEffect)(()=>r.current?.focus(),[]),(0,g.useEffect)(()=>{if(t===e)return;let n=setTimeout(()=>i(l(t),!0),y);return()=>clearTimeout(n)},[t,e]),(0,v.jsxs)(v.Fragment,{children:[(0,v.jsx)(s,{title:f.search.title}),(0,v.jsxs)(`form`,{className:`search`,role:`search`,onSubmit:e=>e.preventDefault(),children:[(0,v.jsx)(a,{name:`search`}),(0,v.jsx)(`input`,{ref:r,type:`search`,dir:`auto`,"aria-label":f.search.field,placeholder:f.search.placeholder,maxLength:b,value:t,onChange:e=>n(e.target.value)})]}),e.trim()?(0,v.jsx)(u,{children:t=>(0,v.jsx)(g.Suspense,{fallback:(0,v.jsx)(o,{label:f.search.searching,rows:4}),children:(0,v.jsx)(S,{query:e,attempt:t})})},e):(0,v.jsx)(c,{icon:`search`,title:f.search.start,children:(0,v.jsx)(`p`,{children:f.search.startHint})})]})}function S({query:e,attempt:t}){let n=(0,_.useLazyLoadQuery)(p,{query:e,first:30},{fetchKey:t}),{data:r,...i}=(0,_.usePaginationFragment)(h,n);return r.users.edges.length?(0,v.jsx)(d,{label:f.search.results(e),people:r.users.edges,pages:i,empty:``}):(0,v.jsx)(c,{icon:`search`,title:f.search.none,children:(0,v.jsx)(`p`,{children:f.search.noneHint(e)})})}export{x as default};