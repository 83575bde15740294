const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["client-ProfilePage-5c182991.js","client-libraries-df66e8dc.js","client-PageHead-9a8fb5a8.js","client-PersonRow-8e2e8b05.js","client-LiveList-01020bf4.js","client-pages-9e3781ed.js","client-PeopleList-14ead97f.js","client-SearchPage-9e11ee40.js","client-LivePage-895d0353.js","client-SettingsPage-67e2cf8a.js"])))=>i.map(i=>d[i]);
import{a as e,i as t,n,r,t as i}from"./client-libraries-df66e8dc.js";import{$ as a,A as o,B as s,C as c,D as l,E as u,F as d,H as f,I as p,J as m,L as h,M as g,N as _,P as v,Q as y,R as b,S as x,T as S,U as C,V as ee,W as w,X as T,Z as te,_ as ne,a as E,b as re,c as ie,d as D,et as ae,g as oe,h as se,i as O,it as ce,j as k,k as A,l as le,m as ue,nt as de,o as fe,ot as j,p as M,r as pe,rt as N,s as P,st as F,t as me,tt as he,u as I,v as L,w as ge,x as _e,z as ve}from"./client-PageHead-9a8fb5a8.js";var R=e(),ye=t(),z=n(),B=r(),be=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`since`}],t=[{kind:`Variable`,name:`since`,variableName:`since`}],n={alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`postId`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},p={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},m={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},h={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`newsHomeChangesSubscription`,selections:[{alias:null,args:t,concreteType:`HomeChangePage`,kind:`LinkedField`,name:`homeChanges`,plural:!1,selections:[{alias:null,args:null,concreteType:`HomeChange`,kind:`LinkedField`,name:`changes`,plural:!0,selections:[n,r,{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edge`,plural:!1,selections:[i,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[a,o,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[s,c],storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostCard_post`}],storageKey:null}],storageKey:null}],storageKey:null},l],storageKey:null}],type:`Subscription`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`newsHomeChangesSubscription`,selections:[{alias:null,args:t,concreteType:`HomeChangePage`,kind:`LinkedField`,name:`homeChanges`,plural:!1,selections:[{alias:null,args:null,concreteType:`HomeChange`,kind:`LinkedField`,name:`changes`,plural:!0,selections:[n,r,{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edge`,plural:!1,selections:[i,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[a,o,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[s,c,a,u,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},n,d,f,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[a,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[u,c,a],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[a,d,f,o,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[s,u,c,a],storageKey:null},p,m,h],storageKey:null},p,m,h],storageKey:null}],storageKey:null}],storageKey:null},l],storageKey:null}]},params:{cacheID:`afe91e6c52b6051e38dc5517ee528ca3`,id:null,metadata:{},name:`newsHomeChangesSubscription`,operationKind:`subscription`,text:`subscription newsHomeChangesSubscription(
  $since: String!
) {
  homeChanges(since: $since) {
    changes {
      kind
      postId
      edge {
        cursor
        node {
          id
          publishedAt
          author {
            databaseId
            name
            id
          }
          ...PostCard_post
        }
      }
    }
    syncToken
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
    ...PostActions_post
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
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
`}}})(),xe=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`since`}],t=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:[{kind:`Literal`,name:`first`,value:0}],concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:[{kind:`Variable`,name:`since`,variableName:`since`}],kind:`ScalarField`,name:`newCount`,storageKey:null}],storageKey:`homeFeed(first:0)`}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`newsCountQuery`,selections:t,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`newsCountQuery`,selections:t},params:{cacheID:`0954bfc113187bf34c3c449b98d24d4d`,id:null,metadata:{},name:`newsCountQuery`,operationKind:`query`,text:`query newsCountQuery(
  $since: String!
) {
  viewer {
    homeFeed(first: 0) {
      newCount(since: $since)
    }
  }
}
`}}})(),Se=(function(){var e=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:[{kind:`Literal`,name:`first`,value:0}],concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null}],storageKey:`homeFeed(first:0)`}],storageKey:null}];return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`newsTokenQuery`,selections:e,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`newsTokenQuery`,selections:e},params:{cacheID:`d7dd6cf72d82688cfe8dcb09c785db29`,id:null,metadata:{},name:`newsTokenQuery`,operationKind:`query`,text:`query newsTokenQuery {
  viewer {
    homeFeed(first: 0) {
      syncToken
    }
  }
}
`}}})(),Ce=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`likePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsLikeMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsLikeMutation`,selections:t},params:{cacheID:`5f5c16897aa502258d9192176fa5470e`,id:null,metadata:{},name:`PostMutationsLikeMutation`,operationKind:`mutation`,text:`mutation PostMutationsLikeMutation(
  $input: PostIdInput!
) {
  payload: likePost(input: $input) {
    post {
      id
      viewerHasLiked
      counters {
        likes
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),we=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`unlikePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsUnlikeMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsUnlikeMutation`,selections:t},params:{cacheID:`a451dbb9d5cac0527fe1a56f120c37ed`,id:null,metadata:{},name:`PostMutationsUnlikeMutation`,operationKind:`mutation`,text:`mutation PostMutationsUnlikeMutation(
  $input: PostIdInput!
) {
  payload: unlikePost(input: $input) {
    post {
      id
      viewerHasLiked
      counters {
        likes
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),Te=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`favoritePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsFavoriteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsFavoriteMutation`,selections:t},params:{cacheID:`cf604bd18f55b96dd44381b269b047b1`,id:null,metadata:{},name:`PostMutationsFavoriteMutation`,operationKind:`mutation`,text:`mutation PostMutationsFavoriteMutation(
  $input: PostIdInput!
) {
  payload: favoritePost(input: $input) {
    post {
      id
      viewerHasFavorited
      counters {
        favorites
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),Ee=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`unfavoritePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsUnfavoriteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsUnfavoriteMutation`,selections:t},params:{cacheID:`c7aac1c2d4db3acc4a72d6baca54d838`,id:null,metadata:{},name:`PostMutationsUnfavoriteMutation`,operationKind:`mutation`,text:`mutation PostMutationsUnfavoriteMutation(
  $input: PostIdInput!
) {
  payload: unfavoritePost(input: $input) {
    post {
      id
      viewerHasFavorited
      counters {
        favorites
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),De=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`EditPostPayload`,kind:`LinkedField`,name:`editPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsEditMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsEditMutation`,selections:t},params:{cacheID:`973476de504462afe3e18d27c943e77e`,id:null,metadata:{},name:`PostMutationsEditMutation`,operationKind:`mutation`,text:`mutation PostMutationsEditMutation(
  $input: EditPostInput!
) {
  editPost(input: $input) {
    post {
      id
      text
      editedAt
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),Oe=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`DeletePostPayload`,kind:`LinkedField`,name:`deletePost`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`deletedPostId`,storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsDeleteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsDeleteMutation`,selections:t},params:{cacheID:`850bb52c5c5cf07c4e6fce9ad4d87db2`,id:null,metadata:{},name:`PostMutationsDeleteMutation`,operationKind:`mutation`,text:`mutation PostMutationsDeleteMutation(
  $input: PostIdInput!
) {
  deletePost(input: $input) {
    deletedPostId
    userErrors {
      code
      message
    }
  }
}
`}}})(),ke=Ce,Ae=we;function je({id:e,viewerHasLiked:t,counters:n}){let r=!t,i={id:e,viewerHasLiked:r,counters:{likes:n.likes+(r?1:-1)}};return{mutation:r?ke:Ae,variables:{input:{postId:e}},optimisticResponse:{payload:{post:i,userErrors:[]}}}}var Me=Te,Ne=Ee;function Pe({id:e,viewerHasFavorited:t,counters:n}){let r=!t,i={id:e,viewerHasFavorited:r,counters:{favorites:n.favorites+(r?1:-1)}};return{mutation:r?Me:Ne,variables:{input:{postId:e}},optimisticResponse:{payload:{post:i,userErrors:[]}}}}function Fe(e,t,n){return{mutation:De,variables:{input:{postId:e,text:t}},optimisticResponse:{editPost:{post:{id:e,text:t,editedAt:n},userErrors:[]}}}}function Ie(e){let t=t=>{t.delete(e.id),e.replyTo&&V(t,e.replyTo,`comments`,-1),e.repostOf&&V(t,e.repostOf,`reposts`,-1)};return{mutation:Oe,variables:{input:{postId:e.id}},optimisticUpdater:t,updater:t}}function V(e,t,n,r){let i=e.get(t)?.getLinkedRecord(`counters`),a=i?.getValue(n);typeof a==`number`&&i?.setValue(Math.max(0,a+r),n)}var Le=`HomeTimeline_homeFeed`;function H(e){let t=e.get(B.ROOT_ID)?.getLinkedRecord(`viewer`);return t?B.ConnectionHandler.getConnection(t,Le):void 0}function Re(e,t=Math.random()){let n=Math.min(3e4,500*2**Math.min(e,10));return n/2+n/2*t}var ze=class{environment;socket;feed;#e=null;#t=null;#n;#r=0;#i=!1;constructor(e,t,n){this.environment=e,this.socket=t,this.feed=n}start(){this.#i=!0;let e=this.socket.onReopen(()=>this.#o());return this.#a(),()=>{this.#i=!1,e(),clearTimeout(this.#n),this.#t?.dispose(),this.#t=null}}get since(){return this.#e}goOn(e){this.#e=e,this.#o()}async#a(){if(this.#e===null){let e=await this.feed.begin();if(this.#e??=e,this.#e===null)return this.#s()}this.#t||this.#o()}#o(){this.#t?.dispose(),this.#t=null,this.#i&&this.#e!==null&&(this.#t=(0,B.requestSubscription)(this.environment,{subscription:this.feed.subscription,variables:{since:this.#e},onNext:e=>{e&&(this.#r=0,this.#e=this.feed.apply(e))},onError:()=>this.#s(),onCompleted:()=>this.#s()}))}#s(){this.#i&&(clearTimeout(this.#n),this.#n=setTimeout(()=>this.#e===null?void this.#a():this.#o(),Re(this.#r++)))}},Be=(function(){var e={defaultValue:null,kind:`LocalArgument`,name:`after`},t={defaultValue:null,kind:`LocalArgument`,name:`first`},n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},u={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:[e,t],kind:`Fragment`,metadata:null,name:`homeQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`HomeTimeline_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[t,e],kind:`Operation`,name:`homeQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:n,concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,s,c,l,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,a,o,i,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[s,c,l,r],storageKey:null},u,d,f],storageKey:null},u,d,f,{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`HomeTimeline_homeFeed`,kind:`LinkedHandle`,name:`homeFeed`}],storageKey:null}]},params:{cacheID:`d5c10d9e788b192349a6a2337ade5184`,id:null,metadata:{},name:`homeQuery`,operationKind:`query`,text:`query homeQuery(
  $first: Int!
  $after: String
) {
  viewer {
    ...HomeTimeline_viewer_2HEEH6
  }
}

fragment HomeTimeline_viewer_2HEEH6 on Viewer {
  homeFeed(first: $first, after: $after) {
    edges {
      cursor
      node {
        id
        publishedAt
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      startCursor
      hasPreviousPage
      endCursor
      hasNextPage
    }
    syncToken
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
    ...PostActions_post
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
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
`}}})();function Ve(e){return atob(e.replace(/-/g,`+`).replace(/_/g,`/`))}function He(e,t){return e===t?0:e<t?-1:1}function Ue(e,t){return e.publishedAt===t.publishedAt?He(We(t.cursor),We(e.cursor)):e.publishedAt>t.publishedAt?-1:1}function We(e){return Ve(e??``).slice(11,19)}function Ge(e,t,n){if(t.some(t=>t.id===e.id))return`shown`;let r=t.findIndex(e=>e.cursor!==null&&e.cursor===n),i=t[Math.max(r,0)];if(!i||Ue(e,i)<0)return`above`;let a=t.slice(Math.max(r,0)).find(t=>t.cursor!==null&&Ue(e,t)<0);return a?.cursor?{before:a.cursor}:`below`}function Ke(e,t){return Math.max(e,t)}var qe={posts:[],counted:0},Je=class{environment;socket;state=j(qe);#e=null;#t=null;#n;constructor(e,t){this.environment=e,this.socket=t,this.#n=new ze(e,t,{subscription:be,begin:()=>this.#a(),apply:({homeChanges:e})=>this.#o(e)})}start(){let e=this.#n.start();return()=>{e(),this.socket.close()}}setTop(e){this.#r(),e!==this.#e&&(this.#e=e,this.state.set({...this.state.get(),counted:0}))}announced(){return this.state.get().posts.map(e=>e.id)}read(e){this.#r(),this.settle(new Set(e)),this.state.set({...this.state.get(),counted:0})}settle(e){let{posts:t,counted:n}=this.state.get();this.state.set({posts:t.filter(t=>!e.has(t.id)),counted:n})}async count(){let e=this.#e;if(e===null)return;let t=(await(0,B.fetchQuery)(this.environment,xe,{since:e},{fetchPolicy:`network-only`}).toPromise().catch(()=>null))?.viewer?.homeFeed.newCount;t!==void 0&&e===this.#e&&this.state.set({...this.state.get(),counted:t})}#r(){let e=this.#i();e!==null&&e!==this.#t&&(this.#t=e,this.#n.goOn(e))}#i(){let e=null;return(0,B.commitLocalUpdate)(this.environment,t=>{e=t.get(B.ROOT_ID)?.getLinkedRecord(`viewer`)?.getLinkedRecord(`homeFeed`,{first:20})?.getValue(`syncToken`)}),typeof e==`string`?e:null}async#a(){return(await(0,B.fetchQuery)(this.environment,Se,{},{fetchPolicy:`network-only`}).toPromise().catch(()=>null))?.viewer?.homeFeed.syncToken??null}#o({changes:e,syncToken:t}){for(let{kind:t,postId:n,edge:r}of e)t===`RESET`?this.#l():t===`REMOVED`&&n?this.#c(n):r&&(t===`ADDED`||this.announced().includes(r.node.id))&&this.#s({...r.node,cursor:r.cursor});return t}#s(e){let{posts:t,counted:n}=this.state.get();t.some(t=>t.id===e.id)||this.state.set({posts:[...t,e].slice(-100),counted:t.length<100?n&&Math.min(n+1,100):100})}#c(e){this.settle(new Set([e])),(0,B.commitLocalUpdate)(this.environment,t=>{let n=H(t);n&&B.ConnectionHandler.deleteNode(n,e)})}async#l(){this.state.set(qe),await(0,B.fetchQuery)(this.environment,Be,{first:20,after:null},{fetchPolicy:`network-only`}).toPromise().catch(()=>null),this.#r()}},Ye=2,Xe=e=>new Promise(t=>setTimeout(t,e));function Ze(e,t,n,r){let i=async(n,i)=>{let a=t.status.get().limitedUntil-Date.now();if(a>0)throw new h(`RATE_LIMITED`,`the server asked for a pause`,null,Math.ceil(a/1e3));let o=t.asked(),s=await $e(e,{query:n.text,variables:i}).catch(()=>null);if(!s)throw t.lost(),new h(`UNREACHABLE`,`the server does not answer`);o();let c=await s.json().catch(()=>null),l=ve(s.status,c,e=>s.headers.get(e))??Qe(c,r);if(!l)return c;throw l.code===`RATE_LIMITED`&&t.limited(l.retryAfter),l.code===`UNAUTHENTICATED`&&r.signedOut(),l};return B.Network.create(async(e,t)=>{for(let n=0;;n++)try{return await i(e,t)}catch(t){if(!(e.operationKind===`query`&&t instanceof h&&t.code===`UNAVAILABLE`)||n===Ye)throw t;await Xe(Math.max(Re(n),t.retryAfter*1e3))}},(e,t)=>B.Observable.create(i=>n.subscribe({query:e.text??``,variables:t},{next:i.next,complete:i.complete,error(e){e instanceof h&&e.code===`UNAUTHENTICATED`&&r.signedOut(),i.error(e)}})))}function Qe(e,t){let n=e.data;return!t.known||n?.viewer!==null?null:new h(`UNAUTHENTICATED`,`the session is over`)}function $e(e,t){return fetch(e,{method:`POST`,headers:{"Content-Type":`application/json`,Accept:`application/graphql-response+json, application/json;q=0.5`},body:JSON.stringify(t)})}var et=20;function tt(e,t,n){return new B.Environment({network:Ze(`/graphql`,e,t,n),store:new B.Store(new B.RecordSource,{gcReleaseBufferSize:et})})}var nt=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),rt=function(e){return`/assets/`+e},it={},at=function(e){return e.pathname.endsWith(`.css`)},ot=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},U=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=rt(t,n);let r=s(t),i=at(r);return ot(it,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:nt,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},st=class{endpoint;#e=null;#t=0;#n=!1;#r=new Set;constructor(e){this.endpoint=e}onReopen(e){return this.#r.add(e),()=>this.#r.delete(e)}subscribe(e,t){let n=!1,r=()=>void 0;return this.#i().then(i=>{n||(r=i.subscribe(e,ct(t)))},e=>t.error(e)),()=>{n=!0,r()}}close(){this.#e?.then(e=>e.dispose()).catch(()=>void 0)}#i(){return this.#e??=U(async()=>{let{createClient:e}=await import(`./client-dist-22dc98f1.js`);return{createClient:e}},[]).then(({createClient:e})=>e({url:new URL(this.endpoint,location.href.replace(/^http/,`ws`)).href,keepAlive:2e4,retryAttempts:1/0,shouldRetry:()=>!0,retryWait:()=>new Promise(e=>setTimeout(e,Re(this.#t++))),onNonLazyError:()=>void 0,on:{connected:()=>{if(this.#t=0,this.#n)for(let e of[...this.#r])e();this.#n=!0}}})),this.#e}};function ct(e){return{next(t){let n=t.errors?.[0];n?e.error(new h(String(n.extensions?.code??`INTERNAL`),n.message)):e.next(t)},error:()=>e.error(new h(`UNAVAILABLE`,`the subscription has ended`)),complete:()=>e.complete()}}var lt=(function(){var e=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`DeskProviderQuery`,selections:e,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`DeskProviderQuery`,selections:e},params:{cacheID:`8fb00b43f0cae9ad702976b68b983e5f`,id:null,metadata:{},name:`DeskProviderQuery`,operationKind:`query`,text:`query DeskProviderQuery {
  viewer {
    user {
      id
      databaseId
      handle
      name
    }
  }
}
`}}})(),W=i();function G({title:e,onClose:t,children:n}){let r=(0,R.useRef)(null),i=(0,R.useId)();return(0,R.useLayoutEffect)(()=>{let e=r.current;return e?.showModal(),()=>e?.close()},[]),(0,W.jsx)(`dialog`,{ref:r,className:`dialog`,"aria-labelledby":i,onClose:t,onClick:e=>e.target===r.current&&t(),children:(0,W.jsxs)(`div`,{className:`dialog-body`,children:[(0,W.jsxs)(`header`,{className:`dialog-head`,children:[(0,W.jsx)(`h2`,{id:i,children:e}),(0,W.jsx)(`button`,{type:`button`,className:`icon-button`,"aria-label":w.dialog.close,onClick:t,children:(0,W.jsx)(T,{name:`close`})})]}),n]})})}function ut(e){return(0,W.jsxs)(G,{title:e.title,onClose:e.onClose,children:[(0,W.jsx)(`p`,{children:e.text}),(0,W.jsxs)(`div`,{className:`dialog-foot`,children:[(0,W.jsx)(`button`,{type:`button`,className:`button`,onClick:e.onClose,children:w.dialog.cancel}),(0,W.jsx)(`button`,{type:`button`,className:`button button-danger`,onClick:()=>{e.onClose(),e.onYes()},children:e.yes})]})]})}var dt=`tideline-draft `,ft=new Set;function pt(e,{replyTo:t,repostOf:n}){return`${dt}${e} ${t?`reply ${t}`:n?`repost ${n}`:`post`}`}function K(e){let t=sessionStorage.getItem(e);return t?JSON.parse(t):{text:``}}function q(e,t){t.text||t.sent?sessionStorage.setItem(e,JSON.stringify(t)):sessionStorage.removeItem(e);for(let e of[...ft])e()}function mt(e){return[(0,R.useSyncExternalStore)(ht,()=>K(e).text),(0,R.useCallback)(t=>q(e,{...K(e),text:t}),[e])]}function ht(e){return ft.add(e),()=>ft.delete(e)}function gt(e,t,n){let{sent:r}=K(e),i=r?.text===t?r.key:n();return q(e,{text:``,sent:{text:t,key:i}}),i}function _t(e,t){let n=K(e);q(e,{...n,text:n.text||t})}function vt(e,t){let n=K(e);q(e,{text:n.text===t?``:n.text})}function yt(){for(let e of Object.keys(sessionStorage))e.startsWith(dt)&&sessionStorage.removeItem(e)}var bt=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{kind:`Variable`,name:`input`,variableName:`input`}],n={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},d={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},p={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`publishMutation`,selections:[{alias:null,args:t,concreteType:`PublishPostPayload`,kind:`LinkedField`,name:`publishPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`feedEdge`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,{args:null,kind:`FragmentSpread`,name:`PostCard_post`}],storageKey:null}],storageKey:null},i],storageKey:null}],type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`publishMutation`,selections:[{alias:null,args:t,concreteType:`PublishPostPayload`,kind:`LinkedField`,name:`publishPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`feedEdge`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,c,l,u,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,u,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,a,o,s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,u,r],storageKey:null},d,f,p],storageKey:null},d,f,p],storageKey:null}],storageKey:null},i],storageKey:null}]},params:{cacheID:`22455c9870a7d8c98f1369d2c8aa16b6`,id:null,metadata:{},name:`publishMutation`,operationKind:`mutation`,text:`mutation publishMutation(
  $input: PublishPostInput!
) {
  publishPost(input: $input) {
    feedEdge {
      cursor
      node {
        id
        ...PostCard_post
      }
    }
    userErrors {
      code
      message
    }
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
    ...PostActions_post
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
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
`}}})();function xt(e,t,n){return{mutation:bt,variables:{input:{...e,idempotencyKey:t}},optimisticUpdater:r=>{let i=n?r.get(n):null;i&&(wt(r,Ct(r,e,t,i),null,e,i),e.repostOf&&V(r,e.repostOf,`reposts`,1))},updater:t=>{let r=t.getRootField(`publishPost`)?.getLinkedRecord(`feedEdge`),i=r?.getLinkedRecord(`node`),a=r?.getValue(`cursor`);i&&wt(t,i,typeof a==`string`?a:null,e,n?t.get(n)??null:null)}}}var St=e=>e.startsWith(`pending:`);function Ct(e,t,n,r){let i=e.create(`pending:${n}`,`Post`),a=e.create(`pending:${n}:counters`,`PostCounters`);for(let e of[`likes`,`comments`,`reposts`,`favorites`])a.setValue(0,e);let o={id:`pending:${n}`,databaseId:`0`,kind:Tt(t),text:t.text,media:[],publishedAt:new Date().toISOString(),editedAt:null,viewerHasLiked:!1,viewerHasFavorited:!1};for(let[e,t]of Object.entries(o))i.setValue(t,e);i.setLinkedRecord(r,`author`),i.setLinkedRecord(a,`counters`);for(let n of[`replyTo`,`repostOf`]){let r=t[n]?e.get(t[n]):null;r?i.setLinkedRecord(r,n):i.setValue(null,n)}return i}function wt(e,t,n,r,i){let a=r.replyTo?e.get(r.replyTo):null,o=[H(e),i&&B.ConnectionHandler.getConnection(i,`ProfilePosts_posts`),a&&B.ConnectionHandler.getConnection(a,`PostComments_comments`)];for(let r of o){if(!r)continue;let i=B.ConnectionHandler.createEdge(e,r,t,`FeedEdge`);i.setValue(r===o[0]?n:null,`cursor`),B.ConnectionHandler.insertEdgeBefore(r,i)}r.replyTo&&V(e,r.replyTo,`comments`,1)}function Tt(e){return e.replyTo?`COMMENT`:e.repostOf?`REPOST`:`POST`}function Et(){return[...crypto.getRandomValues(new Uint8Array(16))].map(e=>e.toString(16).padStart(2,`0`)).join(``)}var Dt=5e3,Ot=200;function kt({label:e,value:t,placeholder:n,autoFocus:r=!1,onChange:i,onSend:a}){let o=(0,R.useRef)(null),s=(0,R.useId)();(0,R.useEffect)(()=>{let e=o.current;e&&(e.style.height=`auto`,e.style.height=`${e.scrollHeight}px`)},[t]),(0,R.useEffect)(()=>{let e=o.current;r&&e&&(e.focus(),e.setSelectionRange(e.value.length,e.value.length))},[r]);let c=Dt-_e(t);return(0,W.jsxs)(`div`,{className:`text-field`,children:[(0,W.jsx)(`textarea`,{ref:o,rows:1,dir:`auto`,"aria-label":e,"aria-describedby":s,"aria-invalid":c<0,placeholder:n,value:t,onChange:e=>i(e.target.value),onKeyDown:e=>{e.key===`Enter`&&(e.ctrlKey||e.metaKey)&&(e.preventDefault(),a())}}),(0,W.jsx)(`span`,{id:s,className:c<0?`left left-over`:`left`,role:`status`,children:c<0?w.composer.over(-c):c<=Ot?w.composer.left(c):``})]})}function At({draft:e,autoFocus:t=!1,onSent:n}){let{session:r}=A(),i=pt(r.user?.id??``,e),[a,o]=mt(i),{account:s}=N(),c=M(),l=_e(a)<=5e3&&(a.trim()!==``||e.repostOf!==void 0),u=jt(e),d=async()=>{if(!l)return;let t=gt(i,a,Et),{about:r,...o}=e;n?.(),await c(xt({...o,text:a},t,s?.id??null),w.composer.failed,()=>vt(i,a))||_t(i,a)};return(0,W.jsxs)(`form`,{className:`composer`,"aria-label":u.label,onSubmit:e=>{e.preventDefault(),d()},children:[s?(0,W.jsx)(L,{user:s}):(0,W.jsx)(`span`,{className:`avatar`}),(0,W.jsxs)(`div`,{className:`composer-main`,children:[e.about&&(0,W.jsxs)(`blockquote`,{className:`quoted`,children:[(0,W.jsxs)(`p`,{className:`post-by`,children:[(0,W.jsx)(`strong`,{dir:`auto`,children:e.about.name}),` `,(0,W.jsxs)(`span`,{className:`post-handle`,children:[`@`,e.about.handle]})]}),(0,W.jsx)(`p`,{className:`post-text composer-about`,dir:`auto`,children:e.about.text})]}),(0,W.jsx)(kt,{label:u.label,placeholder:u.placeholder,value:a,onChange:o,onSend:()=>void d(),autoFocus:t}),(0,W.jsxs)(`div`,{className:`composer-foot`,children:[(0,W.jsx)(`small`,{className:`composer-hint`,children:w.composer.hint}),(0,W.jsx)(`button`,{type:`submit`,className:`button button-primary`,"aria-disabled":!l,children:u.button})]})]})]})}function jt(e){let{post:t,reply:n,quote:r}=w.composer;return e.replyTo?n:e.repostOf?r:t}function Mt(){let{session:e,expired:t,change:n}=A(),[r,i]=(0,R.useState)(``),[a,o]=(0,R.useState)(!1),s=S(location.search,location.href),c=async e=>{if(!a){o(!0),i(``);try{let t=await l(e);s&&t.admin?location.assign(s):n(t)}catch(e){i(Nt(e)),o(!1)}}};return(0,W.jsxs)(`section`,{className:`sign-in`,"aria-labelledby":`sign-in-title`,"aria-busy":a,children:[(0,W.jsx)(`h2`,{id:`sign-in-title`,children:w.signIn.title}),t&&(0,W.jsxs)(`p`,{className:`note`,role:`status`,children:[w.signIn.expired,` `,w.signIn.expiredHint]}),s&&(0,W.jsx)(`p`,{className:`note`,role:`status`,children:Pt(new URL(s,location.href).pathname,e)}),r&&(0,W.jsx)(`p`,{className:`note note-bad`,role:`alert`,children:r}),e.demoUsers.length>0&&(0,W.jsx)(Ft,{users:e.demoUsers,onChoose:e=>void c({demoUserId:e})}),e.demoLink&&(0,W.jsx)(`p`,{className:`note`,children:w.signIn.demoLink}),(0,W.jsx)(It,{onToken:e=>void c({token:e})})]})}function Nt(e){return e instanceof h&&e.code!==`UNREACHABLE`?w.signIn.failed(ee(e.message)):w.signIn.failed(s(b(e)))}function Pt(e,{user:t}){return t?w.signIn.notAdmin(e,t.handle):w.signIn.adminsOnly(e)}function Ft({users:e,onChoose:t}){return(0,W.jsxs)(W.Fragment,{children:[(0,W.jsx)(`h3`,{id:`demo-title`,children:w.signIn.demoTitle}),(0,W.jsx)(`p`,{className:`hint`,children:w.signIn.demoHint}),(0,W.jsx)(`ul`,{className:`demo-users`,"aria-labelledby":`demo-title`,children:e.map(e=>(0,W.jsx)(`li`,{children:(0,W.jsxs)(`button`,{type:`button`,className:`demo-user`,onClick:()=>t(e.id),children:[(0,W.jsx)(L,{user:{databaseId:e.id,name:e.name||e.handle}}),(0,W.jsxs)(`span`,{className:`person-words`,children:[(0,W.jsx)(`strong`,{children:e.name||e.handle}),` `,(0,W.jsxs)(`span`,{children:[`@`,e.handle]})]})]})},e.id))})]})}function It({onToken:e}){let t=(0,R.useRef)(null);return(0,W.jsxs)(`form`,{className:`token-form`,onSubmit:n=>{n.preventDefault();let r=t.current?.value.trim();r&&e(r)},children:[(0,W.jsx)(`h3`,{children:(0,W.jsx)(`label`,{htmlFor:`token`,children:w.signIn.tokenTitle})}),(0,W.jsx)(`p`,{className:`hint`,id:`token-hint`,children:w.signIn.tokenHint}),(0,W.jsxs)(`div`,{className:`token-row`,children:[(0,W.jsx)(T,{name:`key`}),(0,W.jsx)(`input`,{ref:t,id:`token`,type:`password`,autoComplete:`off`,autoCapitalize:`off`,spellCheck:!1,required:!0,"aria-describedby":`token-hint`}),(0,W.jsx)(`button`,{type:`submit`,className:`button button-primary`,children:w.signIn.submit})]})]})}function Lt(){return(0,W.jsx)(`dl`,{className:`keys`,children:w.shortcuts.keys.map(([e,t])=>(0,W.jsxs)(`div`,{children:[(0,W.jsx)(`dt`,{children:(0,W.jsx)(`kbd`,{children:e})}),(0,W.jsx)(`dd`,{children:t})]},e))})}function Rt(e){if(e.defaultPrevented||e.ctrlKey||e.metaKey||e.altKey||document.querySelector(`dialog[open]`))return!1;let t=e.target;return t.closest(`dialog:not([open])`)!==null||!t.closest(`input, textarea, select, [contenteditable], [role=menu]`)}function J(e,t){let n=(0,R.useRef)(t);(0,R.useEffect)(()=>{n.current=t}),(0,R.useEffect)(()=>{let t=t=>{t.key===e&&Rt(t)&&(t.preventDefault(),n.current())};return addEventListener(`keydown`,t),()=>removeEventListener(`keydown`,t)},[e])}function zt(){return document.activeElement?.closest(`article[data-post]`)??null}function Bt({children:e}){let[t,n]=(0,R.useState)(null),{session:r}=A(),i=Ut(r.user!==null),o=r.user!==null,s=(0,R.useCallback)(e=>n(t=>({...e,turn:(t?.turn??0)+1})),[]),c=(0,R.useMemo)(()=>{let e=e=>o?e():s({dialog:`sign-in`});return{signedIn:e,account:i,compose:t=>e(()=>s({dialog:`compose`,draft:t}))}},[o,i,s]),l=()=>n(e=>e?.turn===t?.turn?null:e);return Ht(c,()=>s({dialog:`help`})),(0,W.jsxs)(a,{value:c,children:[e,t?.dialog===`compose`&&(0,W.jsx)(G,{title:Vt(t.draft),onClose:l,children:(0,W.jsx)(At,{draft:t.draft,autoFocus:!0,onSent:l})},t.turn),t?.dialog===`sign-in`&&(0,W.jsx)(G,{title:w.signIn.needed,onClose:l,children:(0,W.jsx)(Mt,{})},t.turn),t?.dialog===`help`&&(0,W.jsx)(G,{title:w.shortcuts.title,onClose:l,children:(0,W.jsx)(Lt,{})},t.turn)]})}function Vt(e){let{titles:t}=w.composer;return e.replyTo?t.reply:e.repostOf?t.quote:t.post}function Ht(e,t){let n=e=>zt()?.querySelector(`[data-action=${e}]`)?.click();J(`n`,()=>e.compose({text:``})),J(`r`,()=>n(`reply`)),J(`l`,()=>n(`like`)),J(`f`,()=>n(`favorite`)),J(`/`,()=>I(`/search`)),J(`h`,()=>I(`/`)),J(`?`,t)}function Ut(e){let t=(0,z.useRelayEnvironment)(),[n,r]=(0,R.useState)(null);return(0,R.useEffect)(()=>{if(!e)return;let{unsubscribe:n}=(0,z.fetchQuery)(t,lt,{}).subscribe({next:e=>r(e?.viewer?.user??null),error:()=>void 0});return n},[t,e]),n}var Y=`tideline-home`,Wt=Gt();function Gt(){let e=sessionStorage.getItem(Y);return sessionStorage.removeItem(Y),e?JSON.parse(e):null}function Kt(e,t){t===null?sessionStorage.removeItem(Y):sessionStorage.setItem(Y,JSON.stringify({place:e,after:t}))}function qt(e){return Wt?.place===e?Wt.after:null}var Jt=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`before`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`last`}],t=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`before`,variableName:`before`},{kind:`Variable`,name:`first`,variableName:`first`},{kind:`Variable`,name:`last`,variableName:`last`}],n={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},l={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`HomeTimelinePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:t,kind:`FragmentSpread`,name:`HomeTimeline_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`HomeTimelinePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[n,r,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},i,a,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,o,s,c,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[s,c,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[n,i,a,r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[o,s,c,n],storageKey:null},l,u,d],storageKey:null},l,u,d,{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`HomeTimeline_homeFeed`,kind:`LinkedHandle`,name:`homeFeed`}],storageKey:null}]},params:{cacheID:`27f09683bfa5ef6e156a004282334618`,id:null,metadata:{},name:`HomeTimelinePageQuery`,operationKind:`query`,text:`query HomeTimelinePageQuery(
  $after: String
  $before: String
  $first: Int
  $last: Int
) {
  viewer {
    ...HomeTimeline_viewer_pbnwq
  }
}

fragment HomeTimeline_viewer_pbnwq on Viewer {
  homeFeed(first: $first, after: $after, last: $last, before: $before) {
    edges {
      cursor
      node {
        id
        publishedAt
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      startCursor
      hasPreviousPage
      endCursor
      hasNextPage
    }
    syncToken
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
    ...PostActions_post
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
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
`}}})(),Yt=(function(){var e=[`homeFeed`];return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`before`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`last`}],kind:`Fragment`,metadata:{connection:[{count:null,cursor:null,direction:`bidirectional`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:{count:`last`,cursor:`before`},path:e},fragmentPathInResult:[`viewer`],operation:Jt}},name:`HomeTimeline_viewer`,selections:[{alias:`homeFeed`,args:null,concreteType:`FeedConnection`,kind:`LinkedField`,name:`__HomeTimeline_homeFeed_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostCard_post`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`syncToken`,storageKey:null}],storageKey:null}],type:`Viewer`,abstractKey:null}})(),Xt=3;function Zt({count:e,authors:t,busy:n,onClick:r}){(0,R.useEffect)(()=>{document.title=w.title(e>0?w.home.titleWithNew(e):w.navigation.home)},[e]);let i=w.home.newPosts(e,100);return(0,W.jsxs)(`div`,{className:`pill-place`,children:[(0,W.jsx)(`span`,{className:`hidden`,role:`status`,children:e>0?i:``}),e>0&&(0,W.jsxs)(`button`,{type:`button`,className:`pill`,"aria-busy":n,onClick:r,children:[(0,W.jsx)(T,{name:`up`}),t.length>0&&(0,W.jsx)(`span`,{className:`pill-faces`,"aria-hidden":`true`,children:t.slice(0,Xt).map(e=>(0,W.jsx)(L,{user:e,size:`small`},e.databaseId))}),i]})]})}function Qt(e,t,n){let r=n=>t.heights.get(e[n])??t.estimate,i=t.anchor?e.indexOf(t.anchor.key):-1,a=Math.max(i,0),o=i>=0?t.anchor.offset:0,s=a;for(let e=o;s>0&&e>-1*n;)e-=r(--s);let c=a;for(let t=o;c<e.length&&t<2*n;)t+=r(c++);let l=(e,t)=>{let n=0;for(let i=e;i<t;i++)n+=r(i);return n};return{start:s,end:c,before:l(0,s),after:l(c,e.length)}}var $t=20,X=new Map;function en(e,t,n){let r=`${e} ${t}`,i=X.get(r)??{heights:new Map,estimate:n,anchor:null,focused:null};X.delete(r),X.set(r,i);for(let e of X.keys()){if(X.size<=$t)break;X.delete(e)}return i}var tn=6;function nn(e){let{items:t,keyOf:n,render:r,memory:i,moreAbove:a=!1,onNearTop:o,onNearEnd:s}=e,c=(0,R.useRef)(null),l=t.map(n),u=Qt(l,i,innerHeight),d=rn(c,{keys:l,range:u,memory:i,moreAbove:a});return an(e.ref,c,l,i,d),on(c,i,e.returned??!1),(0,R.useEffect)(()=>{u.end>=l.length-tn&&s?.(),u.start<=tn&&o?.()}),(0,W.jsx)(`div`,{ref:c,className:`window-list`,role:`feed`,"aria-label":e.label,"aria-busy":e.busy??!1,onFocus:()=>i.focused=ln(c.current)??null,style:{paddingTop:u.before,paddingBottom:u.after},children:t.slice(u.start,u.end).map((e,t)=>(0,W.jsx)(`div`,{"data-key":l[u.start+t],className:`window-item`,children:r(e,u.start+t)},l[u.start+t]))})}function rn(e,t){let[,n]=(0,R.useReducer)(e=>e+1,0),{memory:r}=t,i=(0,R.useRef)(t);return(0,R.useLayoutEffect)(()=>{i.current=t,sn(e.current,r)}),(0,R.useEffect)(()=>{let t=()=>{if(!e.current)return;let{keys:t,range:a,moreAbove:o}=i.current;r.anchor=cn(e.current,t,r,o);let s=Qt(t,r,innerHeight);(s.start!==a.start||s.end!==a.end)&&n()},a=new ResizeObserver(()=>sn(e.current,r));return e.current&&a.observe(e.current),addEventListener(`scroll`,t,{passive:!0}),addEventListener(`resize`,t),()=>{a.disconnect(),removeEventListener(`scroll`,t),removeEventListener(`resize`,t)}},[e,r]),n}function an(e,t,n,r,i){let a=(0,R.useRef)(null);(0,R.useLayoutEffect)(()=>{a.current!==null&&dn(t.current,a.current)&&(a.current=null)}),(0,R.useImperativeHandle)(e,()=>({move(e){let o=n.indexOf(ln(t.current)??``),s=o>=0?o+e:Math.max(0,n.indexOf(r.anchor?.key??``)),c=n[Math.min(Math.max(s,0),n.length-1)];c===void 0||dn(t.current,c)||(a.current=c,r.anchor={key:c,offset:innerHeight/3},i())},toTop(){r.anchor=null,i(),scrollTo({top:0})}}))}function on(e,t,n){let r=(0,R.useRef)(!0);(0,R.useLayoutEffect)(()=>{if(!r.current)return;r.current=!1;let i=document.activeElement?.closest(`main *, dialog, input, button, a`);n&&!i&&t.focused!==null&&un(e.current,t.focused)?.focus({preventScroll:!0})})}var Z=e=>[...e.children];function sn(e,t){if(!e)return;for(let n of Z(e)){let{key:e}=n.dataset,{height:r}=n.getBoundingClientRect();e!==void 0&&r>0&&t.heights.set(e,r)}let{anchor:n}=t,r=n&&Z(e).find(e=>e.dataset.key===n.key);if(!r)return;let i=r.getBoundingClientRect().top-n.offset;Math.abs(i)>=1&&scrollBy({top:i,behavior:`instant`})}function cn(e,t,n,r){let{top:i}=e.getBoundingClientRect();if(i>=0&&!r)return null;for(let t of Z(e)){let e=t.getBoundingClientRect(),{key:n}=t.dataset;if(e.bottom>0&&e.top<innerHeight&&n!==void 0)return{key:n,offset:e.top}}let a=i;for(let e of t){let t=n.heights.get(e)??n.estimate;if(a+t>0)return{key:e,offset:a};a+=t}return null}function ln(e){let t=document.activeElement?.closest(`.window-item`);return t&&e?.contains(t)?t.dataset.key:void 0}function un(e,t){return(e&&Z(e).find(e=>e.dataset.key===t))?.querySelector(`article`)??null}function dn(e,t){let n=un(e,t);return n?(n.focus({preventScroll:!0}),n.scrollIntoView({block:`nearest`}),!0):!1}var fn=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},n={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},r={args:null,kind:`FragmentSpread`,name:`PostActions_post`};return{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostCard_post`,selections:[e,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[e,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},t,n],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[e,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[t,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[e,{args:null,kind:`FragmentSpread`,name:`PostCard_quoted`},r],storageKey:null},r,{args:null,kind:`FragmentSpread`,name:`PostMenu_post`}],type:`Post`,abstractKey:null}})(),pn={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostCard_quoted`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null}],type:`Post`,abstractKey:null};function mn({text:e}){return x(e).map((e,t)=>{switch(e.kind){case`link`:return(0,W.jsx)(`a`,{href:e.href,target:`_blank`,rel:`noreferrer nofollow`,children:re(e.href)+(e.text.length>40?`/…`:e.text.replace(/^https?:\/\/[^/]+/,``))},t);case`mention`:return(0,W.jsx)(P,{href:E(e.handle),children:e.text},t);default:return e.text}})}function hn({postId:e,text:t,onDone:n}){let[r,i]=(0,R.useState)(t),a=M(),o=()=>{_e(r)>5e3||(n(),r!==t&&a(Fe(e,r,new Date().toISOString()),w.edit.failed))};return(0,W.jsxs)(`form`,{className:`edit`,onSubmit:e=>{e.preventDefault(),o()},onKeyDown:e=>e.key===`Escape`&&n(),children:[(0,W.jsx)(kt,{label:w.edit.label,value:r,onChange:i,onSend:o,autoFocus:!0}),(0,W.jsxs)(`div`,{className:`edit-foot`,children:[(0,W.jsx)(`button`,{type:`button`,className:`button button-small`,onClick:n,children:w.edit.cancel}),(0,W.jsx)(`button`,{type:`submit`,className:`button button-small button-primary`,children:w.edit.save})]})]})}var gn={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostActions_post`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null}],type:`Post`,abstractKey:null},_n=80;function vn(e){let[t,n]=(0,R.useState)(!1),r=(0,R.useRef)(null),i=(0,R.useRef)(null),a=(0,R.useRef)(null);(0,R.useEffect)(()=>{if(!t)return;let e=a.current;e&&e.getBoundingClientRect().bottom>innerHeight-_n&&e.classList.add(`menu-up`),e?.querySelector(`[role=menuitem]`)?.focus({preventScroll:!0});let i=e=>{r.current?.contains(e.target)||n(!1)};return addEventListener(`pointerdown`,i),()=>removeEventListener(`pointerdown`,i)},[t]);let o=()=>{n(!1),i.current?.focus()};return(0,W.jsxs)(`div`,{ref:r,className:`menu-box`,children:[(0,W.jsx)(`button`,{ref:i,type:`button`,className:e.className??`icon-button`,"aria-haspopup":`menu`,"aria-expanded":t,"aria-label":e.label,onClick:()=>n(!t),children:e.children}),t&&(0,W.jsx)(`div`,{ref:a,className:`menu`,role:`menu`,"aria-label":e.label,tabIndex:-1,onKeyDown:e=>yn(e,a.current,o),children:e.items.map(e=>(0,W.jsxs)(`button`,{type:`button`,role:`menuitem`,tabIndex:-1,className:e.danger?`menu-item menu-danger`:`menu-item`,onClick:()=>{o(),e.run()},children:[(0,W.jsx)(`span`,{children:e.label}),e.hint&&(0,W.jsx)(`small`,{children:e.hint})]},e.label))})]})}function yn(e,t,n){let r=[...t?.querySelectorAll(`[role=menuitem]`)??[]],i=r.indexOf(document.activeElement),a={ArrowDown:i+1,ArrowUp:i-1,Home:0,End:r.length-1}[e.key];if(a!==void 0)r.at(a%r.length)?.focus();else if(e.key===`Escape`||e.key===`Tab`)n();else return;e.preventDefault(),e.stopPropagation()}function bn({post:e}){let t=(0,z.useFragment)(gn,e),{compose:n,signedIn:r,account:i}=N(),a=M(),o={name:t.author.name,handle:t.author.handle,text:t.text},{counters:s}=t;return(0,W.jsxs)(`div`,{className:`actions`,role:`group`,"aria-label":w.actions.group,children:[(0,W.jsxs)(`button`,{type:`button`,className:`action`,"data-action":`reply`,"aria-label":w.actions.reply(s.comments),onClick:()=>n({text:``,replyTo:t.id,about:o}),children:[(0,W.jsx)(T,{name:`reply`}),` `,(0,W.jsx)(Sn,{of:s.comments})]}),(0,W.jsxs)(vn,{label:w.actions.repost(s.reposts),className:`action`,items:[{label:w.actions.repostNow,hint:w.actions.repostHint,run:()=>r(()=>void a(xt({text:``,repostOf:t.id},Et(),i?.id??null),w.actions.repostFailed))},{label:w.actions.quote,hint:w.actions.quoteHint,run:()=>n({text:``,repostOf:t.id,about:o})}],children:[(0,W.jsx)(T,{name:`repost`}),` `,(0,W.jsx)(Sn,{of:s.reposts})]}),(0,W.jsx)(xn,{name:`like`,icon:`like`,label:w.actions.like(s.likes),on:t.viewerHasLiked,count:s.likes,onClick:()=>r(()=>void a(je(t),t.viewerHasLiked?w.actions.unlikeFailed:w.actions.likeFailed))}),(0,W.jsx)(xn,{name:`favorite`,icon:`favorite`,label:w.actions.favorite(s.favorites),on:t.viewerHasFavorited,count:s.favorites,onClick:()=>r(()=>void a(Pe(t),t.viewerHasFavorited?w.actions.unfavoriteFailed:w.actions.favoriteFailed))})]})}function xn({name:e,icon:t,label:n,on:r,count:i,onClick:a}){return(0,W.jsxs)(`button`,{type:`button`,className:`action action-${e}`,"data-action":e,"aria-pressed":r,"aria-label":n,onClick:a,children:[(0,W.jsx)(T,{name:t,filled:r}),` `,(0,W.jsx)(Sn,{of:i})]})}function Sn({of:e}){return(0,W.jsx)(`span`,{className:`count`,children:e>0?m(e):``})}var Cn=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t=[e];return{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostMenu_post`,selections:[e,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`useRelations_user`}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:t,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:t,storageKey:null}],type:`Post`,abstractKey:null}})(),wn={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`useRelations_user`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],type:`User`,abstractKey:null},Tn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`followUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationFollowMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationFollowMutation`,selections:t},params:{cacheID:`d82025c4af432cf7dfdc84680b4d2ac9`,id:null,metadata:{},name:`relationFollowMutation`,operationKind:`mutation`,text:`mutation relationFollowMutation(
  $input: UserIdInput!
) {
  payload: followUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),En=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unfollowUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnfollowMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnfollowMutation`,selections:t},params:{cacheID:`ba78124df60748a9a0aea5b3cf163f5c`,id:null,metadata:{},name:`relationUnfollowMutation`,operationKind:`mutation`,text:`mutation relationUnfollowMutation(
  $input: UserIdInput!
) {
  payload: unfollowUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),Dn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`muteUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationMuteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationMuteMutation`,selections:t},params:{cacheID:`359baa413f8d2557a9667bd9310b2704`,id:null,metadata:{},name:`relationMuteMutation`,operationKind:`mutation`,text:`mutation relationMuteMutation(
  $input: UserIdInput!
) {
  payload: muteUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),On=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unmuteUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnmuteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnmuteMutation`,selections:t},params:{cacheID:`8b1c8b99a58e93446535564b835a07c0`,id:null,metadata:{},name:`relationUnmuteMutation`,operationKind:`mutation`,text:`mutation relationUnmuteMutation(
  $input: UserIdInput!
) {
  payload: unmuteUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),kn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`hideFromUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationHideMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationHideMutation`,selections:t},params:{cacheID:`82c6b935c43f2ace1b8da2f7b38f813e`,id:null,metadata:{},name:`relationHideMutation`,operationKind:`mutation`,text:`mutation relationHideMutation(
  $input: UserIdInput!
) {
  payload: hideFromUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),An=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unhideFromUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnhideMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnhideMutation`,selections:t},params:{cacheID:`89b60f9f69aabdcb2dee807c1a760671`,id:null,metadata:{},name:`relationUnhideMutation`,operationKind:`mutation`,text:`mutation relationUnhideMutation(
  $input: UserIdInput!
) {
  payload: unhideFromUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),jn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`blockUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationBlockMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationBlockMutation`,selections:t},params:{cacheID:`ad4ede9c1d56aff8892d721c2da7b0d5`,id:null,metadata:{},name:`relationBlockMutation`,operationKind:`mutation`,text:`mutation relationBlockMutation(
  $input: UserIdInput!
) {
  payload: blockUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),Mn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unblockUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnblockMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnblockMutation`,selections:t},params:{cacheID:`1caa1bd1927fac962e99b7c4133148de`,id:null,metadata:{},name:`relationUnblockMutation`,operationKind:`mutation`,text:`mutation relationUnblockMutation(
  $input: UserIdInput!
) {
  payload: unblockUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})(),Nn={follow:`viewerFollows`,mute:`viewerMutes`,hide:`viewerHidesFrom`,block:`viewerBlocks`},Pn={follow:[Tn,En],mute:[Dn,On],hide:[kn,An],block:[jn,Mn]};function Fn(e,t){let n=!t[Nn[e]];return{mutation:Pn[e][+!n],variables:{input:{userId:t.id}},optimisticUpdater:r=>{let i=r.get(t.id);i?.setValue(n,Nn[e]),e===`follow`&&i?.getLinkedRecord(`counters`)?.setValue(t.counters.followers+(n?1:-1),`followers`),In(e,n)&&Ln(r,t.id)},updater:r=>{e===`block`&&r.get(t.id)?.invalidateRecord(),In(e,n)?Ln(r,t.id):Rn(r)}}}function In(e,t){return e===`follow`?!t:e!==`hide`&&t}function Ln(e,t){let n=H(e),r=n?.getLinkedRecords(`edges`);if(!n||!r)return;let i=r.filter(e=>{let n=e?.getLinkedRecord(`node`);return![n,n?.getLinkedRecord(`repostOf`)].map(e=>e?.getLinkedRecord(`author`)?.getDataID()).includes(t)});n.setLinkedRecords(i,`edges`)}function Rn(e){e.get(B.ROOT_ID)?.getLinkedRecord(`viewer`)?.invalidateRecord()}var zn=[`follow`,`mute`,`hide`,`block`];function Bn(e){let t=(0,z.useFragment)(wn,e),n=M(),r=C(),{handle:i}=t;return zn.map(e=>{let a=w.relations[e],o=t[Nn[e]],s=o?a.off(i):a.on(i),c=async()=>{await n(Fn(e,t),w.relations.failed(s))&&r.show({tone:`good`,title:o?a.undone(i):a.done(i)})};return{relation:e,on:o,label:s,run:()=>void c(),...!o&&{hint:a.hint},...e===`block`&&!o&&{danger:!0}}})}function Vn({post:e,own:t,alone:n,onEdit:r}){let i=(0,z.useFragment)(Cn,e),[a,o]=(0,R.useState)(!1),{signedIn:s}=N(),c=C(),l=M(),u=Bn(i.author),d=()=>{let e=new URL(O(i.id),location.href).href;navigator.clipboard?.writeText(e).then(()=>c.show({tone:`good`,title:w.postMenu.copied}),()=>c.show({tone:`bad`,title:w.postMenu.copyFailed,text:e}))},f=async()=>{let e=Ie({id:i.id,replyTo:i.replyTo?.id??null,repostOf:i.repostOf?.id??null});n&&le(`/`),await l(e,w.postMenu.removeFailed)&&c.show({tone:`good`,title:w.postMenu.removed})},p=[...t?[{label:w.postMenu.edit,run:r},{label:w.postMenu.remove,danger:!0,run:()=>o(!0)}]:u.map(e=>({...e,run:()=>s(e.run)})),{label:w.postMenu.copyLink,run:d}];return(0,W.jsxs)(W.Fragment,{children:[(0,W.jsx)(vn,{label:w.postMenu.label(i.author.handle),items:p,children:(0,W.jsx)(T,{name:`more`})}),a&&(0,W.jsx)(ut,{title:w.postMenu.removeTitle,text:w.postMenu.removeText,yes:w.postMenu.remove,onYes:()=>void f(),onClose:()=>o(!1)})]})}function Hn(e){return e.text===``&&e.media.length===0?e.repostOf??null:null}function Un({post:e,position:t,total:n,alone:r=!1}){let i=(0,z.useFragment)(fn,e),{session:a}=A(),[o,s]=(0,R.useState)(!1),c=St(i.id),l=a.user?.id===i.author.databaseId,u=()=>!r&&!c&&I(O(i.id)),d=`${i.id}-author ${i.id}-text`;return(0,W.jsxs)(`article`,{className:`post${r?` post-alone`:``}${c?` post-pending`:``}`,tabIndex:0,"data-post":i.id,"aria-labelledby":d,"aria-posinset":t,"aria-setsize":n,"aria-busy":c,onClick:e=>Gn(e)&&u(),onKeyDown:e=>e.key===`Enter`&&e.target===e.currentTarget&&u(),children:[(0,W.jsx)(P,{href:E(i.author.handle),className:`post-face`,tabIndex:-1,"aria-hidden":`true`,children:(0,W.jsx)(L,{user:i.author})}),(0,W.jsxs)(`div`,{className:`post-main`,children:[(0,W.jsx)(Wn,{post:i,alone:r,pending:c}),(0,W.jsxs)(`div`,{id:`${i.id}-text`,children:[o?(0,W.jsx)(hn,{postId:i.id,text:i.text,onDone:()=>s(!1)}):(0,W.jsx)(qn,{of:i.text}),(0,W.jsx)(Yn,{urls:i.media}),i.repostOf?(0,W.jsx)(Kn,{post:i.repostOf}):i.kind===`REPOST`&&(0,W.jsx)(Jn,{})]}),!c&&(0,W.jsxs)(`footer`,{className:`post-foot`,children:[(0,W.jsx)(bn,{post:Hn(i)??i}),(0,W.jsx)(Vn,{post:i,own:l,alone:r,onEdit:()=>s(!0)})]})]})]})}function Wn({post:e,alone:t,pending:n}){let{author:r}=e;return(0,W.jsxs)(`header`,{className:`post-head`,children:[(0,W.jsxs)(`span`,{id:`${e.id}-author`,className:`post-by`,children:[(0,W.jsx)(P,{href:E(r.handle),className:`post-name`,dir:`auto`,children:r.name}),` `,(0,W.jsxs)(`span`,{className:`post-handle`,children:[`@`,r.handle]}),e.kind===`REPOST`&&(0,W.jsxs)(`span`,{className:`post-note`,children:[` `,(0,W.jsx)(T,{name:`repost`}),` `,w.post.reposted]})]}),(0,W.jsxs)(`span`,{className:`post-time`,children:[n?w.post.sending:(0,W.jsx)(P,{href:O(e.id),className:`quiet-link`,children:(0,W.jsx)(d,{moment:e.publishedAt})}),e.editedAt&&(0,W.jsxs)(`span`,{title:w.post.editedAt(e.editedAt),children:[` · `,w.post.edited]})]}),e.replyTo&&!t&&(0,W.jsxs)(P,{href:O(e.replyTo.id),className:`post-context quiet-link`,children:[(0,W.jsx)(T,{name:`reply`}),` `,w.post.replyingTo(e.replyTo.author.handle)]})]})}function Gn(e){return!e.target.closest(`a, button, input, textarea, [role=menu], dialog`)&&!getSelection()?.toString()}function Kn({post:e}){let t=(0,z.useFragment)(pn,e);return(0,W.jsxs)(`div`,{className:`quoted`,children:[(0,W.jsxs)(`p`,{className:`post-by`,children:[(0,W.jsx)(L,{user:t.author,size:`small`}),(0,W.jsx)(P,{href:E(t.author.handle),className:`post-name`,dir:`auto`,children:t.author.name}),` `,(0,W.jsxs)(`span`,{className:`post-handle`,children:[`@`,t.author.handle]}),(0,W.jsx)(P,{href:O(t.id),className:`quiet-link post-time`,children:(0,W.jsx)(d,{moment:t.publishedAt})})]}),(0,W.jsx)(qn,{of:t.text}),(0,W.jsx)(Yn,{urls:t.media})]})}function qn({of:e}){return e&&(0,W.jsx)(`p`,{className:`post-text`,dir:`auto`,children:(0,W.jsx)(mn,{text:e})})}function Jn(){return(0,W.jsx)(`p`,{className:`quoted quoted-gone`,children:w.post.unavailable})}function Yn({urls:e}){return e.length?(0,W.jsx)(`ul`,{className:`media`,"aria-label":w.post.media,children:e.map((e,t)=>(0,W.jsx)(`li`,{children:(0,W.jsxs)(`a`,{href:e,target:`_blank`,rel:`noreferrer nofollow`,children:[(0,W.jsx)(T,{name:`picture`}),` `,(0,W.jsx)(`span`,{children:re(e)}),(0,W.jsx)(`span`,{className:`hidden`,children:w.post.opensElsewhere})]})},t))}):null}var Xn=150;function Zn(e){let{edges:t,hasNext:n,loadNext:r,loadingNext:i,above:a,line:o}=e,[s,c]=(0,R.useState)(null),[l]=(0,R.useState)(()=>{let n=en(D.get().key,e.label,Xn);return a?.more&&t[0]&&(n.anchor??={key:t[0].node.id,offset:0}),n}),[u]=(0,R.useState)(()=>D.get().returned),d=()=>{!i&&n&&(c(null),r(20,{onComplete:c}))};return!t.length&&!n?e.empty:(0,W.jsxs)(W.Fragment,{children:[(0,W.jsx)(nn,{ref:e.ref,label:e.label,items:t,keyOf:e=>e.node.id,memory:l,returned:u,busy:i||(a?.loading??!1),moreAbove:a?.more??!1,onNearEnd:()=>s||d(),...a&&{onNearTop:()=>a.more&&a.load()},render:(e,r)=>(0,W.jsxs)(W.Fragment,{children:[o&&o.before===e.node.id&&r>0&&(0,W.jsx)(Qn,{text:o.text}),(0,W.jsx)(Un,{post:e.node,position:r+1,total:n?-1:t.length})]})}),(0,W.jsx)(g,{loading:i,failure:s,hasMore:n,retry:d,end:e.end})]})}function Qn({text:e}){return(0,W.jsxs)(`div`,{className:`tide-line`,role:`separator`,"aria-label":e,children:[(0,W.jsx)(`svg`,{viewBox:`0 0 600 14`,preserveAspectRatio:`none`,"aria-hidden":`true`,children:(0,W.jsx)(`path`,{d:`M0 7c12.5-8 25-8 37.5 0s25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0`})}),(0,W.jsx)(`span`,{"aria-hidden":`true`,children:e})]})}var $n=j({posts:[],counted:0});function er(e,t,n){let r=(0,z.useRelayEnvironment)(),i=ce(),{posts:a,counted:o}=F(i?.state??$n),s=(0,R.useMemo)(()=>{let n=e.map(e=>({...e.node,cursor:e.cursor}));return a.map(e=>({post:e,at:Ge(e,n,t)}))},[a,e,t]);(0,R.useEffect)(()=>{i?.setTop(t),n&&i?.count()},[i,t,n]),(0,R.useEffect)(()=>{let e=s.filter(({at:e})=>e!==`above`);if(e.length&&i){for(let{post:t,at:n}of e)tr(r,t,n);i.settle(new Set(e.map(({post:e})=>e.id)))}},[r,i,s]);let c=s.filter(({at:e})=>e===`above`).map(({post:e})=>e),l=[...new Map(c.reverse().map(({author:e})=>[e.databaseId,e])).values()];return{count:Ke(c.length,o),authors:l}}function tr(e,t,n){typeof n!=`string`&&(0,z.commitLocalUpdate)(e,e=>{let r=H(e),i=e.get(t.id);if(!r||!i)return;let a=B.ConnectionHandler.createEdge(e,r,i,`FeedEdge`);a.setValue(t.cursor,`cursor`),B.ConnectionHandler.insertEdgeBefore(r,a,n.before)})}function nr(e){let t=(0,R.useRef)(e);(0,R.useEffect)(()=>{t.current=e}),(0,R.useEffect)(()=>{let e=()=>{let e=rr(),n=t.current.findIndex(t=>t.node.id===e);Kt(D.get().key,n>0?t.current[n-1]?.cursor??null:null)};return addEventListener(`pagehide`,e),()=>removeEventListener(`pagehide`,e)},[])}function rr(){return[...document.querySelectorAll(`.window-item`)].find(e=>e.getBoundingClientRect().bottom>0)?.dataset.key}var ir=60;function ar({viewer:e}){let t=(0,z.usePaginationFragment)(Yt,e),{edges:n,pageInfo:r}=t.data.homeFeed,i=(0,R.useMemo)(()=>n.filter(e=>e.node!=null),[n]),a=(0,R.useRef)(null),o=er(i,r.startCursor??null,r.hasPreviousPage),{line:s,toNewest:c,busy:l}=or({pages:t,pageInfo:r,list:a,first:i[0]?.node.id??null,missing:o.count});nr(i),J(`.`,c),J(`j`,()=>a.current?.move(1)),J(`k`,()=>a.current?.move(-1));let{loadPrevious:u,isLoadingPrevious:d}=t,[f,p]=(0,R.useState)(!1),m=(0,R.useCallback)(()=>{d||f||u(20,{onComplete:e=>p(e!==null)})},[u,d,f]);return(0,W.jsxs)(W.Fragment,{children:[(0,W.jsx)(Zt,{count:o.count,authors:o.authors,busy:l,onClick:c}),(0,W.jsx)(Zn,{ref:a,label:w.home.feed,edges:i,hasNext:t.hasNext,loadNext:t.loadNext,loadingNext:t.isLoadingNext,above:{more:r.hasPreviousPage,loading:d,load:m},line:s?{before:s,text:w.home.newEndsHere}:null,end:w.home.end,empty:(0,W.jsxs)(k,{icon:`home`,title:w.home.empty,children:[(0,W.jsx)(`p`,{children:w.home.emptyHint}),(0,W.jsx)(P,{className:`button button-primary`,href:`/search`,children:w.app.findPeople})]})})]})}function or({pages:e,pageInfo:t,list:n,first:r,missing:i}){let a=(0,z.useRelayEnvironment)(),o=ce(),c=C(),[l,u]=(0,R.useState)(null),[d,f]=(0,R.useState)(!1),{loadPrevious:p,isLoadingPrevious:m}=e,{hasPreviousPage:h,startCursor:g}=t,_=async()=>{if(d)return;f(!0);let e=o?.announced()??[];try{g&&!h&&!m&&i<=ir?await new Promise((e,t)=>p(100,{onComplete:n=>n?t(n):e()})):await(0,z.fetchQuery)(a,Be,{first:20,after:null},{fetchPolicy:`network-only`}).toPromise(),o?.read(e),i>0&&u(r),n.current?.toTop()}catch(e){let t=b(e),{requestId:n,away:r}=t;c.show({tone:`bad`,title:w.home.newFailed,text:s(t),requestId:n,away:r,action:{label:w.messages.tryAgain,run:()=>void _()}})}finally{f(!1)}},v=(0,R.useRef)(_);return(0,R.useEffect)(()=>{v.current=_}),{line:l,busy:d,toNewest:(0,R.useCallback)(()=>void v.current(),[])}}function sr({attempt:e}){let[t]=(0,R.useState)(()=>D.get().key),n=e===0?qt(t):null,{viewer:r}=(0,z.useLazyLoadQuery)(Be,{first:20,after:n},{fetchKey:e});return(0,W.jsxs)(W.Fragment,{children:[(0,W.jsx)(`h1`,{className:`hidden`,tabIndex:-1,children:w.navigation.home}),(0,W.jsx)(`div`,{className:`home-composer`,children:(0,W.jsx)(At,{draft:{text:``}})}),r&&(0,W.jsx)(ar,{viewer:r})]})}var cr=(function(){var e={defaultValue:null,kind:`LocalArgument`,name:`first`},t={defaultValue:null,kind:`LocalArgument`,name:`id`},n=[{kind:`Variable`,name:`id`,variableName:`id`}],r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},c={args:null,kind:`FragmentSpread`,name:`PostCard_post`},l=[{kind:`Variable`,name:`first`,variableName:`first`}],u={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},p={alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},m={alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},h={alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},g={alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null},_={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},v={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},y={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},b={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},x={alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,o,s,_,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[d,a,i,r],storageKey:null},v,y,b],storageKey:null},S={alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},C={alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},ee={alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,d,a,i,f,p,m,h,g],storageKey:null},w={alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[a,i,r],storageKey:null}],storageKey:null};return{fragment:{argumentDefinitions:[e,t],kind:`Fragment`,metadata:null,name:`PostPageQuery`,selections:[{alias:null,args:n,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{fragment:{kind:`InlineFragment`,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,a],storageKey:null},o,s,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,c],storageKey:null},c,{args:l,kind:`FragmentSpread`,name:`PostComments_post`}],type:`Post`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`post`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[t,e],kind:`Operation`,name:`PostPageQuery`,selections:[{alias:null,args:n,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[u,r,{kind:`InlineFragment`,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,a,r,d,f,p,m,h,g],storageKey:null},o,s,x,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,S,o,s,_,C,ee,w,x,v,y,b],storageKey:null},S,_,C,v,y,b,{alias:null,args:l,concreteType:`FeedConnection`,kind:`LinkedField`,name:`comments`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,S,o,s,_,C,ee,w,x,v,y,b,u],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:l,filters:null,handle:`connection`,key:`PostComments_comments`,kind:`LinkedHandle`,name:`comments`}],type:`Post`,abstractKey:null}],storageKey:null}]},params:{cacheID:`8dd372df168e8ce4bcedebedc017da20`,id:null,metadata:{},name:`PostPageQuery`,operationKind:`query`,text:`query PostPageQuery(
  $id: ID!
  $first: Int!
) {
  node(id: $id) {
    __typename
    ... on Post {
      id
      author {
        name
        handle
        id
      }
      text
      media
      repostOf {
        id
      }
      replyTo {
        id
        ...PostCard_post
      }
      ...PostCard_post
      ...PostComments_post_3ASum4
    }
    id
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
    ...PostActions_post
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostComments_post_3ASum4 on Post {
  comments(first: $first) {
    edges {
      cursor
      node {
        id
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  id
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
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
`}}})(),lr=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`id`}],t=[{kind:`Variable`,name:`id`,variableName:`id`}],n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},d={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},p={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostCommentsPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`PostComments_post`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostCommentsPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,{kind:`InlineFragment`,selections:[{alias:null,args:n,concreteType:`FeedConnection`,kind:`LinkedField`,name:`comments`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[i,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,c,l,u,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[i,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,u,i],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[i,a,o,s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,u,i],storageKey:null},d,f,p],storageKey:null},d,f,p,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`PostComments_comments`,kind:`LinkedHandle`,name:`comments`}],type:`Post`,abstractKey:null}],storageKey:null}]},params:{cacheID:`f46468808719a43b3735098ff4b981ca`,id:null,metadata:{},name:`PostCommentsPageQuery`,operationKind:`query`,text:`query PostCommentsPageQuery(
  $after: String
  $first: Int
  $id: ID!
) {
  node(id: $id) {
    __typename
    ...PostComments_post_2HEEH6
    id
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
    ...PostActions_post
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostComments_post_2HEEH6 on Post {
  comments(first: $first, after: $after) {
    edges {
      cursor
      node {
        id
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  id
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
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
`}}})(),ur=(function(){var e=[`comments`],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[`node`],operation:lr,identifierInfo:{identifierField:`id`,identifierQueryVariableName:`id`}}},name:`PostComments_post`,selections:[{alias:`comments`,args:null,concreteType:`FeedConnection`,kind:`LinkedField`,name:`__PostComments_comments_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,{args:null,kind:`FragmentSpread`,name:`PostCard_post`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},t],type:`Post`,abstractKey:null}})();function dr({post:e}){let{data:t,hasNext:n,loadNext:r,isLoadingNext:i}=(0,z.usePaginationFragment)(ur,e);return(0,W.jsx)(`section`,{"aria-label":w.post.replies,children:(0,W.jsx)(Zn,{label:w.post.repliesTo,edges:t.comments.edges.filter(e=>e.node!=null),hasNext:n,loadNext:r,loadingNext:i,empty:(0,W.jsx)(`p`,{className:`list-end`,children:w.post.noReplies}),end:w.post.noMoreReplies})})}function fr({id:e,attempt:t}){let{node:n}=(0,z.useLazyLoadQuery)(cr,{id:e,first:20},{fetchKey:t,fetchPolicy:`store-and-network`}),{session:r}=A(),i=n?.post;if(!i)return(0,W.jsxs)(W.Fragment,{children:[(0,W.jsx)(me,{title:w.post.title,back:!0}),(0,W.jsx)(k,{icon:`reply`,title:w.post.notFound,children:(0,W.jsx)(`p`,{children:w.post.notFoundHint})})]});let a=Hn(i);return a?(0,W.jsx)(fr,{id:a.id,attempt:t}):(0,W.jsxs)(W.Fragment,{children:[(0,W.jsx)(me,{title:w.post.titleBy(i.author.name),back:!0}),i.replyTo&&(0,W.jsx)(`div`,{className:`thread-parent`,children:(0,W.jsx)(Un,{post:i.replyTo})}),(0,W.jsx)(Un,{post:i,alone:!0}),r.user&&(0,W.jsx)(`div`,{className:`home-composer`,children:(0,W.jsx)(At,{draft:{text:``,replyTo:i.id}},i.id)}),(0,W.jsx)(dr,{post:i})]})}function Q({label:e=w.server.developers}){return(0,W.jsxs)(`nav`,{className:`server-links`,"aria-label":e,children:[(0,W.jsx)(`a`,{href:`/graphiql`,children:w.server.graphiql}),(0,W.jsx)(`a`,{href:`/schema.graphql`,children:w.server.schema}),(0,W.jsx)(`a`,{href:`/tasks`,children:w.server.tasks}),(0,W.jsx)(`a`,{href:`/healthz`,children:w.server.health})]})}function pr(){return(0,R.useEffect)(()=>{document.title=w.app.name},[]),(0,W.jsxs)(`div`,{className:`welcome`,children:[(0,W.jsxs)(`div`,{className:`welcome-words`,children:[(0,W.jsx)(te,{}),(0,W.jsx)(`h1`,{tabIndex:-1,children:w.app.name}),(0,W.jsx)(`p`,{className:`lead`,children:w.signIn.lead}),(0,W.jsx)(Q,{})]}),(0,W.jsx)(Mt,{}),(0,W.jsx)(mr,{})]})}function mr(){return(0,W.jsxs)(`svg`,{className:`sea`,viewBox:`0 0 1200 220`,preserveAspectRatio:`none`,"aria-hidden":`true`,focusable:`false`,children:[(0,W.jsx)(`path`,{d:`M0 70c100-60 200-60 300 0s200 60 300 0 200-60 300 0 200 60 300 0v150H0Z`}),(0,W.jsx)(`path`,{d:`M0 120c75-44 150-44 225 0s150 44 225 0 150-44 225 0 150 44 225 0 150-44 300 0v100H0Z`}),(0,W.jsx)(`path`,{d:`M0 165c120-38 240-38 360 0s240 38 360 0 240-38 480 0v55H0Z`})]})}var hr=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`first`}],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},n=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[t],storageKey:null},{alias:null,args:[{kind:`Variable`,name:`first`,variableName:`first`}],concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[t,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null}],storageKey:null}],storageKey:null}],storageKey:null},{kind:`ClientExtension`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`__id`,storageKey:null}]}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LiveNowQuery`,selections:n,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LiveNowQuery`,selections:n},params:{cacheID:`c5c0bef5aa34d4f3bb22a7905abadfe6`,id:null,metadata:{},name:`LiveNowQuery`,operationKind:`query`,text:`query LiveNowQuery(
  $first: Int!
) {
  viewer {
    user {
      id
    }
    liveFeed(first: $first) {
      nodes {
        id
        title
        state
        scheduledAt
        startedAt
        endedAt
        host {
          id
          databaseId
          name
          handle
          viewerFollows
          viewerMutes
          viewerBlocks
        }
      }
    }
  }
}
`}}})(),gr=class extends R.Component{state={failed:!1};static getDerivedStateFromError(){return{failed:!0}}render(){return this.state.failed?null:this.props.children}};function _r(e,t){let{state:n,scheduledAt:r,startedAt:i,endedAt:a}=e;switch(n){case`UPCOMING`:{let e=Date.parse(r)-t;return e>0?w.live.startsIn(e):w.live.startsSoon}case`LIVE`:return i?w.live.liveFor(t-Date.parse(i)):w.live.liveNow;case`REPLAY`:{if(!a)return w.live.ended;let e=t-Date.parse(a);return i?w.live.endedAfter(e,Date.parse(a)-Date.parse(i)):w.live.endedAgo(e)}}}function vr(e,t,n,r){let i=(0,z.useRelayEnvironment)(),a=JSON.stringify(t),o=(0,R.useMemo)(()=>(0,B.createOperationDescriptor)((0,B.getRequest)(e),JSON.parse(a)).request.identifier,[e,a]),s=(0,R.useCallback)(()=>{ne(i,o,e,JSON.parse(a))},[i,o,e,a]);ue(i,o);let c=(0,z.useLazyLoadQuery)(e,t,r),l=n(c);return(0,R.useEffect)(()=>(oe(i,o)&&s(),()=>se(i,o)),[i,o,s]),(0,z.useSubscribeToInvalidationState)(l?[l]:[],s),c}var yr=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`ids`}],t=[{kind:`Variable`,name:`ids`,variableName:`ids`}],n={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`useFreshStatesQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[{fragment:{kind:`InlineFragment`,selections:[n,{args:null,kind:`FragmentSpread`,name:`LiveCard_session`}],type:`LiveSession`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`session`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`useFreshStatesQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},n,{kind:`InlineFragment`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},n],storageKey:null}],type:`LiveSession`,abstractKey:null}],storageKey:null}]},params:{cacheID:`e2eb35752487c1f18eeb9e12d79d3d3f`,id:null,metadata:{},name:`useFreshStatesQuery`,operationKind:`query`,text:`query useFreshStatesQuery(
  $ids: [ID!]!
) {
  nodes(ids: $ids) {
    __typename
    ... on LiveSession {
      id
      ...LiveCard_session
    }
    id
  }
}

fragment LiveCard_session on LiveSession {
  id
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    databaseId
    handle
    name
    id
  }
}
`}}})(),br=1e4,xr=100;function Sr(e){let t=(0,z.useRelayEnvironment)(),n=e.filter(({node:e})=>e!=null&&e.state!==`REPLAY`).map(({node:e})=>e.id),r=(0,R.useRef)(n);(0,R.useEffect)(()=>{r.current=n.slice(0,xr)}),(0,R.useEffect)(()=>{let e=()=>{!document.hidden&&r.current.length&&(0,z.fetchQuery)(t,yr,{ids:r.current},{fetchPolicy:`network-only`}).subscribe({error:()=>void 0})},n=setInterval(e,br);return document.addEventListener(`visibilitychange`,e),()=>{clearInterval(n),document.removeEventListener(`visibilitychange`,e)}},[t])}var Cr=4;function wr(){return(0,W.jsx)(gr,{children:(0,W.jsx)(R.Suspense,{children:(0,W.jsx)(Er,{})})})}var Tr=hr;function Er(){let{viewer:e}=vr(Tr,{first:Cr},e=>e.viewer?.__id),t=t=>t.id===e?.user.id||t.viewerFollows&&!t.viewerMutes&&!t.viewerBlocks,n=p(`second`);Sr((e?.liveFeed.nodes??[]).map(e=>({node:e})));let r=e?.liveFeed.nodes.filter(({state:e,host:n})=>e!==`REPLAY`&&t(n))??[];return r.length?(0,W.jsxs)(`section`,{className:`card live-now`,"aria-labelledby":`live-now-title`,children:[(0,W.jsx)(`h2`,{id:`live-now-title`,children:w.live.asideTitle}),(0,W.jsx)(`ul`,{children:r.map(e=>(0,W.jsxs)(`li`,{className:`live-small live-${e.state.toLowerCase()}`,children:[(0,W.jsx)(L,{user:e.host,size:`small`}),(0,W.jsxs)(`span`,{className:`live-words`,children:[(0,W.jsx)(`span`,{className:`live-title`,dir:`auto`,children:e.title}),(0,W.jsx)(`span`,{className:`live-clock`,children:(0,W.jsx)(`bdi`,{children:e.host.name})}),(0,W.jsx)(`span`,{className:`live-clock`,children:_r(e,n)})]})]},e.id))}),(0,W.jsx)(P,{href:`/live`,className:`card-more`,children:w.live.all})]}):null}function Dr({route:e}){let{session:t}=A(),[n,r]=(0,R.useState)(``);return(0,W.jsxs)(`aside`,{className:`aside`,"aria-label":w.app.sidebar,children:[e.name!==`search`&&(0,W.jsxs)(`form`,{className:`search`,role:`search`,"aria-label":w.app.people,onSubmit:e=>{e.preventDefault(),I(fe(n.trim()))},children:[(0,W.jsx)(T,{name:`search`}),(0,W.jsx)(`input`,{type:`search`,dir:`auto`,"aria-label":w.app.findPeople,placeholder:w.app.findPeople,maxLength:100,value:n,onChange:e=>r(e.target.value)})]}),t.user&&e.name!==`live`&&(0,W.jsx)(wr,{}),(0,W.jsx)(Q,{}),(0,W.jsx)(`p`,{className:`hint`,children:w.app.shortcutsHint})]})}var Or=j({posts:[],counted:0});function kr({route:e}){let{session:t}=A(),{compose:n,account:r}=N(),{posts:i,counted:a}=F(ce()?.state??Or),o=e.name!==`home`&&Ke(i.length,a)>0,s=r?.handle??t.user?.handle,c=t=>e.name===t,l=[{name:`home`,label:w.navigation.home,icon:`home`,href:`/`,here:c(`home`)},{name:`search`,label:w.navigation.search,icon:`search`,href:`/search`,here:c(`search`)},{name:`live`,label:w.navigation.live,icon:`live`,href:`/live`,here:c(`live`)},...s?[{name:`profile`,label:w.navigation.profile,icon:`person`,href:E(s),here:e.name===`profile`&&e.handle===s}]:[],{name:`settings`,label:w.navigation.settings,icon:`settings`,href:`/settings`,here:c(`settings`)}];return(0,W.jsxs)(`header`,{className:`side`,children:[(0,W.jsxs)(P,{href:`/`,className:`brand`,"aria-label":w.navigation.homeLink,children:[(0,W.jsx)(te,{}),(0,W.jsx)(`span`,{children:w.app.name})]}),(0,W.jsx)(`nav`,{className:`ways`,"aria-label":w.navigation.main,children:l.map(e=>(0,W.jsxs)(P,{href:e.href,className:`way`,"aria-current":e.here?`page`:void 0,children:[(0,W.jsx)(T,{name:e.icon,filled:!1}),(0,W.jsx)(`span`,{children:e.label}),e.name===`home`&&o&&(0,W.jsx)(`span`,{className:`dot`,children:(0,W.jsx)(`span`,{className:`hidden`,children:w.navigation.newPosts})})]},e.name))}),t.user?(0,W.jsxs)(`button`,{type:`button`,className:`button button-primary side-compose`,onClick:()=>n({text:``}),children:[(0,W.jsx)(T,{name:`compose`}),` `,(0,W.jsx)(`span`,{children:w.navigation.newPost})]}):(0,W.jsxs)(P,{href:`/`,className:`button button-primary side-compose`,children:[(0,W.jsx)(T,{name:`key`}),` `,(0,W.jsx)(`span`,{children:w.navigation.signIn})]})]})}var Ar=0,jr=[],Mr=[];function $(e){let t=null,n=!1,r=async()=>{let t=Ar;try{return await e()}catch{if(t!==Ar)return r();throw n=!0,new h(`UNREACHABLE`,`the page cannot be loaded`)}},i=()=>t??=r();return jr.push(()=>{n&&=(t=null,!1)}),Mr.push(()=>void i().catch(()=>void 0)),function(e){let t=(0,R.use)(i()).default;return(0,W.jsx)(t,{...e})}}var Nr=$(()=>U(()=>import(`./client-ProfilePage-5c182991.js`),__vite__mapDeps([0,1,2,3,4,5,6]))),Pr=$(()=>U(()=>import(`./client-SearchPage-9e11ee40.js`),__vite__mapDeps([7,1,2,6,3,5]))),Fr=$(()=>U(()=>import(`./client-LivePage-895d0353.js`),__vite__mapDeps([8,1,2,4,5]))),Ir=$(()=>U(()=>import(`./client-SettingsPage-67e2cf8a.js`),__vite__mapDeps([9,1,2,3,5])));function Lr(){Ar++;for(let e of jr)e()}function Rr(){for(let e of Mr)e()}function zr(){let{reachable:e,limitedUntil:t}=F(de().status);return(0,W.jsxs)(`div`,{className:`status-place`,role:`status`,children:[!e&&(0,W.jsxs)(`p`,{className:`status-bar`,children:[(0,W.jsx)(T,{name:`offline`}),` `,navigator.onLine?w.status.unreachable:w.status.offline,` `,w.status.stale]}),e&&t>0&&(0,W.jsx)(Br,{until:t})]})}function Br({until:e}){let t=Math.ceil((e-p(`second`))/1e3)*1e3;return t<=0?null:(0,W.jsxs)(`p`,{className:`status-bar`,children:[(0,W.jsx)(T,{name:`clock`}),` `,w.status.limited(t)]})}var Vr=new Set([`home`,`profile`,`post`]);function Hr(){let e=F(D),{session:t}=A(),{compose:n}=N(),r=pe(e.path,e.search),i=Gr(e),a=r.name===`home`&&(!t.user||S(e.search,location.href)!==null);return(0,W.jsxs)(`div`,{className:a?`shell shell-welcome`:`shell`,children:[(0,W.jsx)(`a`,{className:`skip`,href:`#main`,children:w.app.skip}),(0,W.jsx)(zr,{}),!a&&(0,W.jsx)(kr,{route:r}),(0,W.jsx)(`main`,{id:`main`,ref:i,tabIndex:-1,children:(0,W.jsx)(o,{onRetry:Lr,children:t=>(0,W.jsx)(R.Suspense,{fallback:(0,W.jsx)(_,{label:w.app.loadingPage}),children:a?(0,W.jsx)(pr,{}):(0,W.jsx)(Ur,{route:r,attempt:t},e.key)})},e.path)}),!a&&(0,W.jsx)(Dr,{route:r}),!a&&t.user&&Vr.has(r.name)&&(0,W.jsx)(`button`,{type:`button`,className:`compose-button`,"aria-label":w.app.writePost,onClick:()=>n({text:``}),children:(0,W.jsx)(T,{name:`compose`})})]})}function Ur({route:e,attempt:t}){switch(e.name){case`home`:return(0,W.jsx)(sr,{attempt:t});case`profile`:return(0,W.jsx)(Nr,{handle:e.handle,tab:e.tab,attempt:t});case`post`:return(0,W.jsx)(fr,{id:e.id,attempt:t});case`live`:return(0,W.jsx)(Wr,{children:(0,W.jsx)(Fr,{attempt:t})});case`search`:return(0,W.jsx)(Pr,{query:e.query});case`settings`:return(0,W.jsx)(Ir,{attempt:t});case`lost`:return(0,W.jsxs)(W.Fragment,{children:[(0,W.jsx)(me,{title:w.app.notFoundTitle}),(0,W.jsx)(k,{icon:`search`,title:w.app.notFound,children:(0,W.jsx)(P,{className:`button`,href:`/`,children:w.app.goHome})})]})}}function Wr({children:e}){let{session:t,expired:n}=A();return t.user?e:(0,W.jsxs)(k,{icon:`key`,title:n?w.signIn.expired:w.app.signInForLive,children:[(0,W.jsx)(`p`,{children:w.app.livePrivate}),(0,W.jsx)(P,{className:`button button-primary`,href:`/`,children:w.navigation.signIn})]})}function Gr(e){let t=(0,R.useRef)(null),n=(0,R.useRef)(!0);return(0,R.useEffect)(()=>{n.current?n.current=!1:e.returned||(scrollTo({top:0,behavior:`instant`}),t.current?.contains(document.activeElement)||t.current?.focus({preventScroll:!0}))},[e.key,e.returned]),t}function Kr({connection:e}){let[t,n]=(0,R.useState)(null),[r,i]=(0,R.useState)(null),[a,o]=(0,R.useState)(!1),s=(0,R.useCallback)(e=>{u().then(t=>{i(null),n(t),o(e&&!t.user)},e=>i(e))},[]),l=(0,R.useCallback)(()=>s(!1),[s]);(0,R.useEffect)(l,[l]);let d=(0,R.useMemo)(()=>t&&{session:t,expired:a,change:e=>{o(!1),n(e)}},[t,a]);return(0,W.jsx)(y,{value:e,children:(0,W.jsxs)(f,{children:[r!==null&&!d&&(0,W.jsx)(`main`,{className:`lone`,children:(0,W.jsx)(v,{error:r,retry:l})}),r===null&&!d&&(0,W.jsx)(`main`,{className:`lone`,children:(0,W.jsx)(_,{label:w.app.loading})}),d&&(0,W.jsx)(c,{value:d,children:(0,W.jsx)(qr,{connection:e,user:d.session.user?.id??null,signedOut:()=>s(d.session.user!==null)},d.session.user?.id??``)})]})})}function qr({connection:e,user:t,signedOut:n}){let[{environment:r,news:i,socket:a}]=(0,R.useState)(()=>{let r=new st(`/graphql`),i=tt(e,r,{known:t!==null,signedOut:n});return{environment:i,socket:r,news:t===null?null:new Je(i,r)}});return(0,R.useEffect)(()=>i?.start(),[i]),(0,W.jsx)(z.RelayEnvironmentProvider,{environment:r,children:(0,W.jsx)(he,{value:a,children:(0,W.jsx)(ae,{value:i,children:(0,W.jsx)(Bt,{children:(0,W.jsx)(Hr,{})})})})})}var Jr=[`system`,`light`,`dark`],Yr=`tideline-theme`;function Xr(){let e=localStorage.getItem(Yr);return Jr.find(t=>t===e)??`system`}function Zr(e){e===`system`?(localStorage.removeItem(Yr),delete document.documentElement.dataset.theme):(localStorage.setItem(Yr,e),document.documentElement.dataset.theme=e)}var Qr=1e3,$r=3e4,ei=class{healthUrl;status=j({reachable:!0,limitedUntil:0});#e;#t=Qr;#n=0;constructor(e){this.healthUrl=e,addEventListener(`offline`,()=>this.lost()),addEventListener(`online`,()=>void this.#i()),navigator.onLine||this.lost()}asked(){let e=this.#n;return()=>{e===this.#n&&this.#r()}}#r(){clearTimeout(this.#e),this.#e=void 0,this.#t=Qr,this.status.get().reachable||this.status.set({...this.status.get(),reachable:!0})}lost(){this.status.get().reachable&&(this.#n++,this.status.set({...this.status.get(),reachable:!1})),this.#e??=setTimeout(()=>void this.#i(),this.#t)}limited(e){this.status.set({...this.status.get(),limitedUntil:Date.now()+Math.max(1,e)*1e3})}async#i(){clearTimeout(this.#e),this.#e=void 0;let e=this.asked();try{await fetch(this.healthUrl,{cache:`no-store`}),e()}catch{this.#t=Math.min(this.#t*2,$r),this.lost()}}},ti=2e3;Zr(Xr()),ie(),addEventListener(`hashchange`,()=>{ge(location.hash)!==null&&location.reload()});var ni=document.getElementById(`client`),ri=e=>{e instanceof h||console.error(e)},ii=new ei(`/healthz`);ii.status.subscribe(()=>{ii.status.get().reachable&&(Lr(),Rr())}),ni&&(0,ye.createRoot)(ni,{onCaughtError:ri}).render((0,W.jsx)(Kr,{connection:ii})),setTimeout(Rr,ti);export{_r as a,Bn as c,yt as d,G as f,ze as h,vr as i,vn as l,He as m,Zr as n,Q as o,Ve as p,Xr as r,Zn as s,Jr as t,Lt as u};